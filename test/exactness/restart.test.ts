import { it } from 'vitest';
import { runKills } from './run-kills.ts';
import { isThorough, timeLimit } from './seeds.ts';

// A start takes most of the time. `restart.long.test.ts` kills again and again.
it(
  'every client is told exactly what happened, although the server is killed',
  () => runKills(isThorough ? 2 : 1),
  timeLimit,
);
