import { it } from 'vitest';
import { runKills } from './run-kills.ts';
import { timeLimit } from './seeds.ts';

it(
  'every client is told exactly what happened, although the server is killed again and again',
  () => runKills(10),
  timeLimit,
);
