import { expect, it } from 'vitest';
import { threadHeaps } from '../server/threads/thread-heaps.ts';
import { limitHeapGrowth } from './heap-growth.ts';

const megabyte = 1024 * 1024;

it('marks nothing during the start, and limits each generation when it is large, the old one for good', () => {
  const sizes = { new_space: megabyte, old_space: 31 * megabyte };
  let flags: string[] = [];
  const growth = limitHeapGrowth({
    spaces: () => Object.entries(sizes).map(([space_name, space_size]) => ({ space_name, space_size })),
    setFlags: (flag) => void flags.push(flag),
  });
  expect(flags).toEqual(['--no-incremental-marking']);
  growth.started();
  expect(flags).toEqual(['--no-incremental-marking', '--incremental-marking', '--no-parallel-scavenge']);
  const setWith = (changed: Partial<typeof sizes>): string[] => {
    Object.assign(sizes, changed);
    flags = [];
    growth.withDefaults(() => {
      flags = [];
    });
    return flags;
  };

  const always = ['--no-parallel-scavenge'];
  const large = ['--heap-growing-percent=60', ...always];
  expect(setWith({})).toEqual(always);
  expect(setWith({ old_space: 32 * megabyte })).toEqual(large);
  // V8 decides at the end of a collection how far to grow, and the space is smaller after it.
  expect(setWith({ old_space: megabyte })).toEqual(large);
  expect(setWith({ new_space: 16 * megabyte })).toEqual(['--semi-space-growth-factor=1', ...large]);
  threadHeaps.changeLoading(1);
  expect(setWith({})).toEqual([]);
  threadHeaps.changeLoading(-1);
  threadHeaps.changeGrowing(1);
  expect(setWith({})).toEqual(large);
  threadHeaps.changeGrowing(-1);
  expect(setWith({ new_space: megabyte })).toEqual(large);
});
