import { vi } from 'vitest';

/**
 * Vitest lets a condition take one second, which says more about the machine than about the code. Here it may take a
 * minute; a test that needs less ends as soon as the condition holds.
 */
const waitTimeoutMs = { timeout: 60_000, interval: 20 };

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

function patient(options: number | { readonly timeout?: number; readonly interval?: number } = {}) {
  return { ...waitTimeoutMs, ...(typeof options === 'number' ? { timeout: options } : options) };
}
