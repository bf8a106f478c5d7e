import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from '../../src/cli/young-generation.ts';

// Keeps much of what it allocates for some turns, and prints the largest size of the space for new objects in bytes.

if (process.argv[2] === 'limited') limitYoungGeneration();

let largest = 0;
let kept: unknown[] = [];
for (let turn = 0; turn < 400; turn++) {
  if (turn % 20 === 0) kept = [];
  for (let count = 0; count < 5_000; count++) kept.push({ turn, count, text: [turn, count] });
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  largest = Math.max(largest, young!.space_size);
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(largest);
