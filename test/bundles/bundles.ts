import { join } from 'node:path';
import { cacheFolder } from '../../scripts/output-folders.ts';

export { root } from '../../scripts/output-folders.ts';

/** The folder of the bundles. It also contains a package.json, from which the bundles read their version. */
export const bundles = join(cacheFolder, 'bundles');

/** Exports every module of `src/` except programs, under the name of its path. */
export const modulesBundle = join(bundles, 'modules', 'modules.js');

/** The command line program as it is published. */
export const commandScript = join(bundles, 'command', 'cli.cjs');
