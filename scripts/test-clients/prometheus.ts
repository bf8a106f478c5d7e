import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DebianPackage, fetchPackages } from './debian-package.ts';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'clients');
const wanted: DebianPackage = { name: 'prometheus', suite: 'own' };

/** The downloaded programs of Prometheus. */
export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Downloads Prometheus. Returns why it is not available, if it is not. */
export function fetchPrometheus(): Promise<string[]> {
  return fetchPackages(cache, [wanted]);
}

export function fetchedPrometheus(): PrometheusPrograms | undefined {
  const folder = join(cache, `${wanted.name}-${wanted.suite}`, 'usr', 'bin');
  const programs = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
  return existsSync(programs.prometheus) && existsSync(programs.promtool) ? programs : undefined;
}
