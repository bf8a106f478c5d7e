import { posix } from 'node:path';
import type { Storage } from '../storage/index.ts';
import { eventsPrefix } from './expire-events.ts';
import { readOptionFile } from './files/read-option-file.ts';
import type { ResolvedOptions } from './options.ts';

/** etcd may be starting at the same time. */
const startMs = 20_000;

/** What the keys of objects begin with in etcd, without a slash at the end. */
export function etcdRoot({ etcdPrefix }: Pick<ResolvedOptions, 'etcdPrefix'>): string {
  return posix.join('/', etcdPrefix).replace(/\/$/, '');
}

/** Connects to etcd. Events expire there by themselves. */
export async function openEtcd(options: ResolvedOptions): Promise<Storage> {
  const read = (name: string, path: string | undefined): Promise<Buffer> | undefined =>
    path === undefined ? undefined : readOptionFile(name, path);
  const [ca, cert, key] = await Promise.all([
    read('etcd-cafile', options.etcdCafile),
    read('etcd-certfile', options.etcdCertfile),
    read('etcd-keyfile', options.etcdKeyfile),
  ]);
  const { eventTtlMs, log } = options;
  // Loaded on demand: other servers do not need its client and its messages.
  const { openEtcdStorage } = await import('../storage/etcd/open-etcd-storage.ts');
  return openEtcdStorage({
    endpoints: options.etcdServers ?? [],
    ca,
    cert,
    key,
    prefix: etcdRoot(options),
    ttl: eventTtlMs > 0 ? [{ prefix: eventsPrefix, seconds: Math.ceil(eventTtlMs / 1000) }] : [],
    compactionIntervalMs: options.etcdCompactionIntervalMs,
    connectMs: startMs,
    log: (message, fields) => log.error(message, fields),
  });
}
