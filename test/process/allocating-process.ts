import { getHeapSpaceStatistics } from 'node:v8';
import { limitHeapGrowth } from '../../src/cli/heap-growth.ts';
import { threadHeaps } from '../../src/server/threads/thread-heaps.ts';

// Keeps allocated objects for some turns of the event loop. Prints the maximum size of V8's new space in bytes.

const mode = process.argv[2];
if (mode !== 'unlimited') limitHeapGrowth();
if (mode === 'limited beside a thread that grows') threadHeaps.changeGrowing(1);

let largest = 0;
let kept: unknown[] = [];
for (let turn = 0; turn < 200; turn++) {
  if (turn % 20 === 0) kept = [];
  for (let count = 0; count < 5_000; count++) kept.push({ turn, count, text: [turn, count] });
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!;
  largest = Math.max(largest, young.space_size);
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(largest);
