import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../output-folders.ts';
import { type DebianPackage, fetchPackages, type Suite } from './debian-package.ts';

/** The old version of the stable release, and the newest one. */
const packages: readonly DebianPackage[] = [
  { name: 'etcd-server', suite: 'own' },
  { name: 'etcd-server', suite: 'sid' },
];

/** A downloaded etcd. */
export interface EtcdProgram {
  readonly suite: Suite;
  readonly path: string;
}

/** Downloads the versions of etcd that the tests use. Returns those that are not available, with the reason. */
export function fetchEtcds(): Promise<string[]> {
  return fetchPackages(clientsFolder, packages);
}

/** All downloaded versions, the newest one last. */
export function fetchedEtcds(): EtcdProgram[] {
  return packages
    .map(({ name, suite }) => ({ suite, path: join(clientsFolder, `${name}-${suite}`, 'usr', 'bin', 'etcd') }))
    .filter(({ path }) => existsSync(path));
}

/** The newest version only, for tests of what does not depend on it. With TEST_EVERY_VERSION all of them. */
export function newestEtcds(): EtcdProgram[] {
  const all = fetchedEtcds();
  return process.env.TEST_EVERY_VERSION === undefined ? all.slice(-1) : all;
}
