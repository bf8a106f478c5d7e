import { getHeapSpaceStatistics } from 'node:v8';
import { limitHeapGrowth } from '../../src/cli/heap-growth.ts';
import { growingThreads } from '../../src/server/threads/growing-threads.ts';

// Keeps much of what it allocates for some turns, and some of it for many. Prints the largest sizes of the spaces for new
// and for old objects in bytes.

const mode = process.argv[2];
if (mode !== 'unlimited') limitHeapGrowth();
if (mode === 'limited beside a thread that grows') growingThreads.change(1);

const turns = 400;
const largest = { young: 0, old: 0 };
let kept: unknown[] = [];
const long: unknown[] = [];
const maxLong = 250_000;
for (let turn = 0; turn < turns; turn++) {
  if (turn % 20 === 0) kept = [];
  for (let count = 0; count < 5_000; count++) {
    const item = { turn, count, text: [turn, count] };
    kept.push(item);
    if (count % 4 === 0) long[(turn * 1_250 + count / 4) % maxLong] = item;
  }
  for (const { space_name, space_size } of getHeapSpaceStatistics()) {
    if (space_name === 'new_space') largest.young = Math.max(largest.young, space_size);
    if (space_name === 'old_space') largest.old = Math.max(largest.old, space_size);
  }
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(JSON.stringify(largest));
