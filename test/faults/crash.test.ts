import { test } from 'vitest';
import { crashes } from './crashes.ts';

test.each([1, 2])(
  'no acknowledged write is lost and no half of one appears, however often the process is killed, seed %i',
  (seed) => crashes({ kills: 6, seed }),
);
