import { test } from 'vitest';
import { crashes } from './crashes.ts';

test.each([3, 4, 5])('no acknowledged write is lost and no partial write appears in 200 crashes, seed %i', (seed) =>
  crashes({ kills: 200, seed }),
);
