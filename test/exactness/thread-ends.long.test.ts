import { it } from 'vitest';
import { runThreadEnds } from './run-thread-ends.ts';
import { timeLimit } from './seeds.ts';

it('every client receives exactly what happened, although threads end repeatedly', () => runThreadEnds(30), timeLimit);
