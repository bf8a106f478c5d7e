import { createHook } from 'node:async_hooks';
import { readdir } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { modulesBundle } from '../bundles/bundles.ts';

const lasting = /^(TCP|TLS|Http|Worker|MessagePort)/;

/** The sockets and threads of this process, as far as they keep it alive. Timers and files of the test runner come and go. */
export function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => lasting.test(name));
}

/** Handles are closed a little after those who hold them say so. */
export async function expectHandles(...expected: string[]): Promise<void> {
  await vi.waitFor(() => expect(openHandles()).toEqual(expected), { interval: 5 });
}

/** The number of threads, where the system tells it; also those that would not keep the process alive. */
export async function threads(): Promise<number> {
  return process.platform === 'linux' ? (await readdir('/proc/self/task')).length : 0;
}

/** Watches over the timers that the product sets while `work` runs. Where those were set that nobody has cleared. */
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
    // What has been cleared is told in the next turn.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  } finally {
    hook.disable();
  }
  // Otherwise the product would be looked for in the wrong place.
  expect(seen).toBeGreaterThan(0);
  return [...open.values()];
}
