import { test } from 'vitest';
import { operationKills } from './operation-kills.ts';

const seeds = Array.from({ length: 25 }, (_, index) => 2 + index);

test.for(seeds)(
  'nothing is damaged and nothing is lost in 40 kills of servers, backups and restores, seed %i',
  (seed) => operationKills({ kills: 40, seed }),
);
