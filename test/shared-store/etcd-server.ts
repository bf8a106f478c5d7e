import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import type { Server, ServerOptions } from '../../src/index.ts';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import type { SharingTimings } from '../../src/server/sharing-timings.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import { openEtcdStorage } from '../../src/storage/etcd/open-etcd-storage.ts';
import { type Storage, TransformedStorage } from '../../src/storage/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';

let cluster: Promise<EtcdCluster> | undefined;
let stores = 0;

/**
 * Returns a function that connects a server to a new store. All stores of this process are in one etcd, with different
 * prefixes.
 */
export async function newEtcdStore(): Promise<() => Promise<Storage>> {
  cluster ??= EtcdCluster.start({ program: fetchedEtcds().at(-1)! });
  const { endpoints } = await cluster;
  const prefix = `/store-${++stores}`;
  return async () => new TransformedStorage(await openEtcdStorage({ endpoints, prefix }), kubernetesLayout());
}

/** Tests compare revisions, which every renewal of a lease changes. */
const rareRenewals: SharingTimings = {
  election: { durationSeconds: 300, renewDeadlineMs: 200_000, retryMs: 30_000 },
  presence: { durationSeconds: 300, renewMs: 100_000 },
};

/** Starts a server on its own store in etcd. */
export async function startOnEtcd(options: ServerOptions): Promise<Server> {
  return startServerOn(await newEtcdStore(), options, rareRenewals);
}
