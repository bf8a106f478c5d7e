import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianPackage, unpackedPackage } from './debian-package.ts';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'clients');
/** The one of the stable release, which is old, and the newest that there is. */
const packages: readonly DebianPackage[] = [
  { name: 'kubernetes-client', suite: 'own' },
  { name: 'kubectl', suite: 'sid' },
];

/** Fetches the kubectls that the tests use. Returns what could not be had, with the reason. */
export async function fetchKubectls(): Promise<string[]> {
  const missing: string[] = [];
  for (const wanted of packages) {
    try {
      await unpackedPackage(cache, wanted);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const reason = (stderr || message).trim().split('\n').at(-1);
      missing.push(`${wanted.name} (${wanted.suite} suite): ${reason}`);
    }
  }
  return missing;
}

/** The paths of all kubectls that have been fetched. */
export function fetchedKubectls(): string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .map((folder) => join(cache, folder, 'usr', 'bin', 'kubectl'))
    .filter((path) => existsSync(path));
}
