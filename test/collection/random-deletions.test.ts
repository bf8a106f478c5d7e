import { it } from 'vitest';
import { runRandomDeletions } from './run-random-deletions.ts';

/** COLLECTION_SEED plays one seed; without it always the same one. */
const seed = Number(process.env.COLLECTION_SEED ?? 1);

it(`collects exactly what has lost its owners, seed ${seed}`, () => runRandomDeletions(seed));
