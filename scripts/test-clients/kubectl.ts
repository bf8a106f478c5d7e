import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../output-folders.ts';
import { type DebianPackage, fetchPackages } from './debian-package.ts';

/** The old version of the stable release, and the newest one. */
const packages: readonly DebianPackage[] = [
  { name: 'kubernetes-client', suite: 'own' },
  { name: 'kubectl', suite: 'sid' },
];

/** Downloads the kubectls that the tests use. Returns those that are not available, with the reason. */
export function fetchKubectls(): Promise<string[]> {
  return fetchPackages(clientsFolder, packages);
}

/** The paths of all downloaded kubectls. */
export function fetchedKubectls(): string[] {
  if (!existsSync(clientsFolder)) return [];
  return readdirSync(clientsFolder)
    .map((folder) => join(clientsFolder, folder, 'usr', 'bin', 'kubectl'))
    .filter((path) => existsSync(path));
}

/** The newest kubectl only, for tests of what does not depend on its version. With TEST_EVERY_VERSION all of them. */
export function newestKubectls(): string[] {
  const all = fetchedKubectls();
  return process.env.TEST_EVERY_VERSION === undefined ? all.filter((path) => path.includes('sid')) : all;
}
