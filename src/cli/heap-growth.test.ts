import { expect, it } from 'vitest';
import { threadHeaps } from '../server/threads/thread-heaps.ts';
import { limitHeapGrowth } from './heap-growth.ts';

const megabyte = 1024 * 1024;

it('marks nothing during the start, and limits each generation when it is large, the old one for good', () => {
  const sizes = { new_space: megabyte, old_space: 19 * megabyte, code_space: 10 * megabyte };
  let externalSize = 10 * megabyte;
  let flags: string[] = [];
  const growth = limitHeapGrowth({
    spaces: () =>
      Object.entries(sizes).map(([space_name, size]) => ({ space_name, space_size: size, space_used_size: size })),
    externalSize: () => externalSize,
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
  externalSize = 11 * megabyte;
  expect(setWith({})).toEqual(['--heap-growing-percent=80', ...always]);
  externalSize = 0;
  // V8 decides at the end of a collection how far to grow, and the space is smaller after it.
  expect(setWith({ old_space: megabyte })).toEqual(large);
  // 60 % of the heap and of the memory outside of it, but at most 64 MB unless that is less than 60 % of the heap.
  externalSize = 40 * megabyte;
  expect(setWith({ old_space: 30 * megabyte })).toEqual(['--heap-growing-percent=120', ...always]);
  externalSize = 400 * megabyte;
  expect(setWith({})).toEqual(['--heap-growing-percent=160', ...always]);
  expect(setWith({ old_space: 300 * megabyte })).toEqual(large);
  expect(setWith({ new_space: 16 * megabyte })).toEqual(['--semi-space-growth-factor=1', ...large]);
  threadHeaps.changeLoading(1);
  expect(setWith({})).toEqual([]);
  threadHeaps.changeLoading(-1);
  threadHeaps.changeGrowing(1);
  expect(setWith({})).toEqual(large);
  threadHeaps.changeGrowing(-1);
  expect(setWith({ new_space: megabyte })).toEqual(large);
});
