import { statusFlags } from './status-flags.ts';

/** The flags of `keelson console`. */
export const consoleFlags = {
  config: statusFlags.config,
  kubeconfig: statusFlags.kubeconfig,
  dataDir: statusFlags.dataDir,
} as const;
