import { it } from 'vitest';
import { runRandomDeletions } from './run-random-deletions.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 2);

it.each(seeds)('collects exactly what has lost its owners, seed %i', (seed) => runRandomDeletions(seed));
