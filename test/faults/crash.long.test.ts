import { test } from 'vitest';
import { crashes } from './crashes.ts';

/** The number of kills on one directory, whose history grows with each of them. */
const killsPerRun = 200;
const kills = Number(process.env.TEST_KILLS ?? 3 * killsPerRun);
const seeds = Array.from({ length: Math.ceil(kills / killsPerRun) }, (_, run) => 3 + run);

test.each(seeds)(
  `no acknowledged write is lost and no partial write appears in ${killsPerRun} crashes, seed %i`,
  (seed) => crashes({ kills: killsPerRun, seed }),
);
