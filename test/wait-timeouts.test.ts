import { expect, it, vi } from 'vitest';

it('the waits of a process are wrapped once, however many files it runs', async () => {
  const { waitFor, waitUntil } = vi;
  const again = './wait-timeouts.ts?again';
  await import(again);
  expect(vi.waitFor).toBe(waitFor);
  expect(vi.waitUntil).toBe(waitUntil);
});
