import { test } from 'vitest';
import { crashes } from './crashes.ts';

test('no acknowledged write is lost and no partial write appears, however often the process is killed', () =>
  crashes({ kills: 7, seed: 1 }));
