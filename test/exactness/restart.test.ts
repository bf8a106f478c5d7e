import { it } from 'vitest';
import { runKills } from './run-kills.ts';
import { isThorough, timeLimit } from './seeds.ts';

// Starting the server takes most of the time. `restart.long.test.ts` kills it more often.
it(
  'every client receives exactly what happened, although the server is killed',
  () => runKills(isThorough ? 2 : 1),
  timeLimit,
);
