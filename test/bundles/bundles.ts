import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
/** The folder of the bundles. It also contains a package.json, from which the bundles read their version. */
export const bundles = join(root, '.cache', 'bundles');

/** Exports every module of `src/` except programs, under the name of its path. */
export const modulesBundle = join(bundles, 'modules', 'modules.js');

/** The command line program as it is published. */
export const commandScript = join(bundles, 'command', 'cli.cjs');
