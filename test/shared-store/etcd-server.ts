import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import type { Server, ServerOptions } from '../../src/index.ts';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import { openEtcdStorage, TransformedStorage } from '../../src/storage/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';

let cluster: Promise<EtcdCluster> | undefined;
let stores = 0;

/** Starts a server on an etcd that all servers of this process share, each with keys of its own. */
export async function startOnEtcd(options: ServerOptions): Promise<Server> {
  cluster ??= EtcdCluster.start({ program: fetchedEtcds().at(-1)! });
  const { endpoints } = await cluster;
  const prefix = `/store-${++stores}`;
  const open = async () => new TransformedStorage(await openEtcdStorage({ endpoints, prefix }), kubernetesLayout());
  return startServerOn(open, options);
}
