import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../output-folders.ts';
import { type DebianPackage, fetchPackages } from './debian-package.ts';

const wanted: DebianPackage = { name: 'prometheus', suite: 'own' };

/** The downloaded programs of Prometheus. */
export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Downloads Prometheus. Returns why it is not available, if it is not. */
export function fetchPrometheus(): Promise<string[]> {
  return fetchPackages(clientsFolder, [wanted]);
}

export function fetchedPrometheus(): PrometheusPrograms | undefined {
  const folder = join(clientsFolder, `${wanted.name}-${wanted.suite}`, 'usr', 'bin');
  const programs = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
  return existsSync(programs.prometheus) && existsSync(programs.promtool) ? programs : undefined;
}
