import { createHook } from 'node:async_hooks';
import { readdir } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { modulesBundle } from '../bundles/bundles.ts';

const lasting = /^(TCP|TLS|Http|Worker|MessagePort)/;

/**
 * Returns the sockets and threads that keep this process alive. Timers and files are left out, because the test runner
 * uses them too.
 */
export function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => lasting.test(name));
}

/** Waits until the handles match, because they are closed asynchronously. */
export async function expectHandles(...expected: string[]): Promise<void> {
  await vi.waitFor(() => expect(openHandles()).toEqual(expected), { interval: 5 });
}

/** Returns the number of threads, including those that do not keep the process alive. 0 if it is unknown. */
export async function threads(): Promise<number> {
  return process.platform === 'linux' ? (await readdir('/proc/self/task')).length : 0;
}

/** Returns where the product created timers that still exist after `work`. */
export async function timersLeftBy(work: () => Promise<void>): Promise<string[]> {
  const open = new Map<number, string>();
  let seen = 0;
  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const lines = new Error().stack!.split('\n');
      const place = lines.find((line) => line.includes(modulesBundle) || line.includes('/src/'));
      if (place === undefined) return;
      open.set(id, place.trim());
      seen++;
    },
    destroy: (id) => void open.delete(id),
  });
  hook.enable();
  try {
    await work();
    // Node.js reports cleared timers in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  } finally {
    hook.disable();
  }
  // If no timers were found, the paths of the product would be wrong.
  expect(seen).toBeGreaterThan(0);
  return [...open.values()];
}
