import { vi } from 'vitest';

/**
 * Vitest waits one second for a condition, which is too short on a busy machine. Here it waits up to a minute. A test
 * continues as soon as the condition holds.
 */
const waitOptions = { timeout: Number(process.env.TEST_FILE_SECONDS ?? 120) * 500, interval: 20 };

/** Files that share a process share `vi`, and each of them runs this module. */
const applied = Symbol.for('keelson.waitTimeouts');

if (!Object.hasOwn(vi, applied)) {
  Object.defineProperty(vi, applied, { value: true });
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, withTimeout(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));
}

function withTimeout(options: number | { readonly timeout?: number; readonly interval?: number } = {}) {
  return { ...waitOptions, ...(typeof options === 'number' ? { timeout: options } : options) };
}
