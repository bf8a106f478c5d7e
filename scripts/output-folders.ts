import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** What stands in for the checkout where that cannot be written. `npm test` sets it. */
const outputRoot = process.env.TEST_OUTPUT ?? root;

/** Downloads, bundles and compiled code of the tests. */
export const cacheFolder = join(outputRoot, '.cache');

/** Programs that the tests download. */
export const clientsFolder = join(cacheFolder, 'clients');

/** The built package. */
export const distFolder = join(outputRoot, 'dist');
