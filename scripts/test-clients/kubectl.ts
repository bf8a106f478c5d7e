import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianPackage, fetchPackages } from './debian-package.ts';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'clients');
/** The old version of the stable release, and the newest one. */
const packages: readonly DebianPackage[] = [
  { name: 'kubernetes-client', suite: 'own' },
  { name: 'kubectl', suite: 'sid' },
];

/** Downloads the kubectls that the tests use. Returns those that are not available, with the reason. */
export function fetchKubectls(): Promise<string[]> {
  return fetchPackages(cache, packages);
}

/** The paths of all downloaded kubectls. */
export function fetchedKubectls(): string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .map((folder) => join(cache, folder, 'usr', 'bin', 'kubectl'))
    .filter((path) => existsSync(path));
}

/** The newest kubectl only, for tests of what does not depend on its version. With TEST_EVERY_VERSION all of them. */
export function newestKubectls(): string[] {
  const all = fetchedKubectls();
  return process.env.TEST_EVERY_VERSION === undefined ? all.filter((path) => path.includes('sid')) : all;
}
