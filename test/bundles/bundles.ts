import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
/** Beside the folders with the bundles is a package.json: they look there for their version. */
export const bundles = join(root, '.cache', 'bundles');

/** Every module of `src/`, except programs, as an export with the name of its path. */
export const modulesBundle = join(bundles, 'modules', 'modules.js');

/** The command line as it is published. */
export const commandScript = join(bundles, 'command', 'cli.js');
