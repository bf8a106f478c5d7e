import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildInfo } from './version-info.ts';

// The package root is three levels above this source and one above the bundle.
const root = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../', import.meta.url);
let known: BuildInfo | undefined;

/** Replaced by the bundler. */
declare const SOURCE_DIGEST: string | undefined;

/** Identifies the sources of a bundle. Undefined when the sources run as they are. */
export const sourceDigest = typeof SOURCE_DIGEST === 'undefined' ? undefined : SOURCE_DIGEST;

/** Version and build date of the package. */
export function buildInfo(): BuildInfo {
  known ??= {
    packageVersion: packageVersion(),
    gitCommit: '',
    gitTreeState: '',
    buildDate: statSync(fileURLToPath(import.meta.url))
      .mtime.toISOString()
      .replace(/\.[0-9]+Z$/, 'Z'),
  };
  return known;
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return version;
}
