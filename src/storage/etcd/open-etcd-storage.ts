import { checkServerIdentity } from 'node:tls';
import type * as Grpc from '@grpc/grpc-js';
import type { Storage, StorageError } from '../storage.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { KeySpace } from './key-space.ts';
import type { TimeToLive } from './leases.ts';
import { Members } from './members.ts';

export interface EtcdStorageOptions {
  /** Such as `https://10.0.0.1:2379`. One is enough, but the others are used only if they are listed. */
  readonly endpoints: readonly string[];
  /** PEM. The CA of the members, instead of the public ones. */
  readonly ca?: Buffer | undefined;
  /** PEM. The client certificate and its key, for members that demand one. */
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  /** What all keys start with; `/registry` by default. */
  readonly root?: string;
  /** What stands in its place in etcd; the same by default. */
  readonly prefix?: string;
  /** Which keys expire. */
  readonly ttl?: readonly TimeToLive[];
  /** How often old history is removed, by one of all servers; never by default. */
  readonly compactionIntervalMs?: number;
  /** How long to try to connect at the beginning; once by default. */
  readonly connectMs?: number;
  /** The deadline of calls. Longer than etcd itself waits for a quorum (7 s). */
  readonly timeoutMs?: number;
  readonly log?: (message: string, fields?: object) => void;
}

const connectAgainMs = 200;

/** Connects to an etcd cluster. Rejects with `Unavailable` when no member responds. */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<Storage> {
  // Loaded on demand: they delay the start, and other stores do not need them.
  const [grpc, { EtcdStorage }] = await Promise.all([import('@grpc/grpc-js'), import('./etcd-storage.ts')]);
  const { root = '/registry', prefix = root, timeoutMs = 10_000 } = options;
  const members = new Members({
    grpc,
    endpoints: options.endpoints.map(parseEndpoint),
    credentials: (endpoint) => credentialsFor(endpoint, grpc, options),
    timeoutMs,
  });
  const deadline = performance.now() + (options.connectMs ?? 0);
  for (;;) {
    try {
      return await EtcdStorage.open({
        members,
        keys: new KeySpace({ root, prefix }),
        ttl: options.ttl ?? [],
        compactionIntervalMs: options.compactionIntervalMs ?? 0,
        log: options.log ?? (() => {}),
      });
    } catch (error) {
      if ((error as StorageError).code !== 'Unavailable' || performance.now() + connectAgainMs > deadline) {
        members.close();
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, connectAgainMs));
  }
}

function credentialsFor(
  { tls, ip }: Endpoint,
  grpc: typeof Grpc,
  { ca, cert, key }: EtcdStorageOptions,
): Grpc.ChannelCredentials {
  if (!tls) return grpc.credentials.createInsecure();
  return grpc.credentials.createSsl(ca ?? null, key ?? null, cert ?? null, {
    ...(ip !== undefined && { checkServerIdentity: (_name, certificate) => checkServerIdentity(ip, certificate) }),
  });
}
