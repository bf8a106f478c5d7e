import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type EtcdProgram, fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import { openEtcdStorage } from '../../src/storage/etcd/open-etcd-storage.ts';
import { TransformedStorage } from '../../src/storage/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';
import { Link } from '../etcd/link.ts';
import type { Endpoint } from '../exactness/connection.ts';
import { KillableServer } from '../exactness/tested-server.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import type { ServersUnderTest } from './servers-under-test.ts';

export interface EtcdServersOptions {
  /** The newest version by default. */
  readonly program?: EtcdProgram;
  readonly members: number;
  readonly servers: number;
  /** Whether the servers run in their own processes, which can be killed and paused. */
  readonly processes?: boolean;
  /** How long servers in this process wait for etcd, and clients for the servers. */
  readonly patienceMs?: number;
}

/** Servers that share an etcd. Each server has its own links to the members. */
export class EtcdServers implements ServersUnderTest {
  readonly mayRestart = true;
  readonly versionsExpire = false;
  readonly endpoints: readonly Endpoint[];
  readonly cluster: EtcdCluster;
  /** The links of each server to each member. */
  readonly links: readonly (readonly Link[])[];
  /** Empty if the servers run in this process. */
  readonly processes: readonly KillableServer[];
  readonly patienceMs?: number;

  private constructor(fields: Pick<EtcdServers, 'endpoints' | 'cluster' | 'links' | 'processes' | 'patienceMs'>) {
    this.endpoints = fields.endpoints;
    this.cluster = fields.cluster;
    this.links = fields.links;
    this.processes = fields.processes;
    if (fields.patienceMs !== undefined) this.patienceMs = fields.patienceMs;
  }

  static async start(options: EtcdServersOptions): Promise<EtcdServers> {
    const { program = fetchedEtcds().at(-1)!, members, servers, processes: own = false, ...patience } = options;
    const cluster = await EtcdCluster.start({ program, members });
    onTestFinished(() => cluster.stop());
    const links = await Promise.all(Array.from({ length: servers }, () => linksTo(cluster)));
    const processes = await Promise.all(own ? links.map(startProcess) : []);
    const endpoints = own
      ? processes.map(({ api }) => api)
      : await Promise.all(links.map((to) => startServer(to, patience)));
    return new EtcdServers({ endpoints, cluster, links, processes, ...patience });
  }

  /** Clients whose requests were rejected retry after a short time. */
  available(): Promise<void> {
    return delay(50);
  }

  starts(server: number): number {
    return this.processes[server]?.starts ?? 1;
  }

  /** Returns the index of the leader according to the majority of members, or undefined if there is none. */
  async leader(): Promise<number | undefined> {
    const statuses = await Promise.all(this.cluster.members.map((member) => member.status().catch(() => undefined)));
    const leaders = statuses.map((status) => status?.leader).filter((id) => id !== undefined && id !== '0');
    const ids = statuses.map((status) => status?.header.member_id);
    const index = ids.findIndex(
      (id) => id !== undefined && leaders.filter((leader) => leader === id).length * 2 > ids.length,
    );
    return index < 0 ? undefined : index;
  }
}

async function linksTo({ endpoints }: EtcdCluster): Promise<Link[]> {
  const links = await Promise.all(endpoints.map((endpoint) => Link.to(endpoint)));
  onTestFinished(() => {
    for (const link of links) link.close();
  });
  return links;
}

async function startServer(
  links: readonly Link[],
  { patienceMs }: Pick<EtcdServersOptions, 'patienceMs'>,
): Promise<TestApi> {
  const endpoints = links.map(({ endpoint }) => endpoint);
  const storage = { endpoints, ...(patienceMs !== undefined && { timeoutMs: patienceMs }) };
  const open = async () => new TransformedStorage(await openEtcdStorage(storage), kubernetesLayout());
  const timeout = patienceMs === undefined ? {} : { requestTimeoutMs: patienceMs };
  const api = await TestApi.start(timeout, (options) => startServerOn(open, options));
  onTestFinished(() => api.stop());
  return api;
}

async function startProcess(links: readonly Link[]): Promise<KillableServer> {
  const endpoints = links.map(({ endpoint }) => endpoint).join(',');
  return KillableServer.start(await temporaryDirectory(), '--storage=etcd', `--etcd-servers=${endpoints}`);
}
