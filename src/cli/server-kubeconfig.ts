import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './flags.ts';

export interface KubeconfigFlags {
  readonly kubeconfig: string | undefined;
  readonly dataDir: string | undefined;
}

/** Returns the path of the kubeconfig for a server. Throws a UsageError when the data directory has none. */
export function serverKubeconfig({ kubeconfig, dataDir }: KubeconfigFlags): string {
  if (kubeconfig !== undefined) return kubeconfig;
  const path = join(dataDir!, 'admin.kubeconfig');
  if (existsSync(path)) return path;
  throw new UsageError(
    `--data-dir: no server has run with ${dataDir}; name the data directory of the server, or a file with --kubeconfig`,
  );
}
