import { parseEndpoint } from '../storage/index.ts';

/** Options for storage in etcd. The names are those of kube-apiserver's flags. */
export interface EtcdOptions {
  /** The members of the cluster, such as `https://10.0.0.1:2379`. */
  readonly etcdServers?: readonly string[];
  /** The CA of the certificates of etcd (PEM file). By default the public CAs. */
  readonly etcdCafile?: string;
  /** PEM files with the client certificate for etcd and its key. */
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  /** Prefix of all keys in etcd. */
  readonly etcdPrefix?: string;
  /** How often one of the servers of a cluster removes old revisions, in milliseconds; 0 keeps them forever. */
  readonly etcdCompactionIntervalMs?: number;
  /** The time limit of the health check `etcd`, in milliseconds. */
  readonly etcdHealthcheckTimeoutMs?: number;
  /** The time limit of the health check `etcd-readiness`, in milliseconds. */
  readonly etcdReadycheckTimeoutMs?: number;
}

export const etcdDefaults = {
  etcdPrefix: '/registry',
  etcdCompactionIntervalMs: 5 * 60_000,
  etcdHealthcheckTimeoutMs: 2000,
  etcdReadycheckTimeoutMs: 2000,
};

/** Throws a RangeError for options that are invalid or contradict each other. */
export function checkEtcdOptions(options: EtcdOptions & { readonly storage?: string }): void {
  const { storage, etcdServers = [], etcdCafile, etcdCertfile, etcdKeyfile } = options;
  if (storage !== 'etcd') {
    const given = {
      'etcd-servers': etcdServers[0],
      'etcd-cafile': etcdCafile,
      'etcd-certfile': etcdCertfile,
      'etcd-keyfile': etcdKeyfile,
    };
    const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (name !== undefined) throw new RangeError(`${name} needs the storage etcd`);
    return;
  }
  if (etcdServers.length === 0) throw new RangeError('etcd-servers must be specified');
  for (const endpoint of etcdServers) parseEndpoint(endpoint);
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new RangeError('a client certificate for etcd and its private key must be given together');
  }
  for (const name of ['etcdHealthcheckTimeoutMs', 'etcdReadycheckTimeoutMs'] as const) {
    if (!((options[name] ?? 1) > 0)) throw new RangeError('the time limits of health checks must be positive');
  }
  if (!((options.etcdCompactionIntervalMs ?? 0) >= 0)) {
    throw new RangeError('the interval of compactions must not be negative');
  }
}
