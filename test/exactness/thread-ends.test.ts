import { it } from 'vitest';
import { runThreadEnds } from './run-thread-ends.ts';
import { timeLimit } from './seeds.ts';

// `thread-ends.long.test.ts` ends more of them.
it('every client receives exactly what happened, although a thread ends', () => runThreadEnds(2), timeLimit);
