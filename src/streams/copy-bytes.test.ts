import { expect, test } from 'vitest';
import { copyBytes } from './copy-bytes.ts';

const own = (size: number) => Buffer.alloc(size);
const shared = (size: number) => Buffer.from(new SharedArrayBuffer(size));

test.each([
  ['own to own memory', own, own],
  ['own to shared memory', own, shared],
  ['shared to own memory', shared, own],
  ['shared to shared memory', shared, shared],
])('copies %s, and nothing else', (_title, from, to) => {
  for (const length of [0, 1, 7, 4096]) {
    const source = from(length + 2).subarray(1, length + 1);
    for (let index = 0; index < length; index++) source[index] = index % 251;
    const target = to(length + 5).fill(255);
    copyBytes(source, target, 3);
    expect([...target]).toEqual([255, 255, 255, ...source, 255, 255]);
  }
});
