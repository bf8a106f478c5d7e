import { it } from 'vitest';
import { runKills } from './run-kills.ts';
import { timeLimit } from './seeds.ts';

it(
  'every client receives exactly what happened, although the server is killed repeatedly',
  () => runKills(10),
  timeLimit,
);
