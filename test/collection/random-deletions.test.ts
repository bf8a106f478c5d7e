import { it } from 'vitest';
import { runRandomDeletions } from './run-random-deletions.ts';

/** COLLECTION_SEED selects a seed. Without it, the seed is always the same. */
const seed = Number(process.env.COLLECTION_SEED ?? 1);

it(`collects exactly what has lost its owners, seed ${seed}`, () => runRandomDeletions(seed));
