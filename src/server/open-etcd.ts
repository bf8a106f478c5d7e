import { join, posix } from 'node:path';
import { lockDirectory, type Storage } from '../storage/index.ts';
import { etcdCredentials } from './etcd-credentials.ts';
import { eventsPrefix } from './expire-events.ts';
import type { ResolvedOptions } from './options.ts';

/** The server retries for this time, because etcd may be starting at the same time. */
const startMs = 20_000;

/** The key prefix of objects in etcd, without a trailing slash. */
export function etcdRoot({ etcdPrefix }: Pick<ResolvedOptions, 'etcdPrefix'>): string {
  return posix.join('/', etcdPrefix).replace(/\/$/, '');
}

/** Like `openEtcd`. It also locks the data directory, which contains the keys of this server. */
export async function openEtcdFrom(dataDir: string, options: ResolvedOptions): Promise<Storage> {
  const lock = await lockDirectory(join(dataDir, 'store'));
  try {
    return await openEtcd(options, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Connects to etcd. Events expire there by leases. */
export async function openEtcd(options: ResolvedOptions, onClosed = (): void => {}): Promise<Storage> {
  const { eventTtlMs, log } = options;
  // Loaded on demand: servers with other storage do not need the client and its messages.
  const { openEtcdStorage } = await import('../storage/etcd/open-etcd-storage.ts');
  return openEtcdStorage({
    endpoints: options.etcdServers ?? [],
    tls: await etcdCredentials(options),
    prefix: etcdRoot(options),
    ttl: eventTtlMs > 0 ? [{ prefix: eventsPrefix, seconds: Math.ceil(eventTtlMs / 1000) }] : [],
    compactionIntervalMs: options.etcdCompactionIntervalMs,
    connectMs: startMs,
    log: (message, fields) => log.error(message, fields),
    onClosed,
  });
}
