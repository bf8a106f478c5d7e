import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import { openEtcdStorage, TransformedStorage } from '../../src/storage/index.ts';
import { EtcdCluster, type EtcdMember } from '../etcd/etcd-cluster.ts';
import { Link } from '../etcd/link.ts';
import type { Endpoint } from '../exactness/connection.ts';
import { TestApi } from '../wire/api.ts';
import type { ServersUnderTest } from './servers-under-test.ts';

export interface EtcdServersOptions {
  readonly members: number;
  readonly servers: number;
}

/** Servers of this process that share an etcd, each with ways of its own to the members. */
export class EtcdServers implements ServersUnderTest {
  readonly mayRestart = true;
  readonly versionsExpire = false;
  readonly endpoints: readonly Endpoint[];
  readonly cluster: EtcdCluster;
  /** Of each server, to each member. */
  readonly links: readonly (readonly Link[])[];

  private constructor(parts: Pick<EtcdServers, 'endpoints' | 'cluster' | 'links'>) {
    this.endpoints = parts.endpoints;
    this.cluster = parts.cluster;
    this.links = parts.links;
  }

  static async start({ members, servers }: EtcdServersOptions): Promise<EtcdServers> {
    const cluster = await EtcdCluster.start({ program: fetchedEtcds().at(-1)!, members });
    onTestFinished(() => cluster.stop());
    const endpoints: Endpoint[] = [];
    const links: Link[][] = [];
    for (let index = 0; index < servers; index++) {
      const own = await Promise.all(cluster.endpoints.map((endpoint) => Link.to(endpoint)));
      links.push(own);
      const storage = { endpoints: own.map(({ endpoint }) => endpoint) };
      const open = async () => new TransformedStorage(await openEtcdStorage(storage), kubernetesLayout());
      const api = await TestApi.start({}, (options) => startServerOn(open, options));
      onTestFinished(async () => {
        await api.stop();
        for (const link of own) link.close();
      });
      endpoints.push(api);
    }
    return new EtcdServers({ endpoints, cluster, links });
  }

  /** Those who are refused try again soon. */
  available(): Promise<void> {
    return delay(50);
  }

  starts(): number {
    return 1;
  }

  /** The index of the leader, as the other members see it; undefined while there is none. */
  async leader(): Promise<number | undefined> {
    const statuses = await Promise.all(this.cluster.members.map(statusOf));
    const leaders = statuses.map((status) => status?.leader).filter((id) => id !== undefined && id !== '0');
    const ids = statuses.map((status) => status?.header?.member_id);
    const index = ids.findIndex(
      (id) => id !== undefined && leaders.filter((leader) => leader === id).length * 2 > ids.length,
    );
    return index < 0 ? undefined : index;
  }
}

interface MemberStatus {
  readonly header?: { readonly member_id?: string };
  /** The ID of a member. */
  readonly leader?: string;
}

/** Undefined when it does not answer. */
async function statusOf({ endpoint }: EtcdMember): Promise<MemberStatus | undefined> {
  try {
    const url = new URL('/v3/maintenance/status', endpoint);
    const response = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(1000) });
    return (await response.json()) as MemberStatus;
  } catch {
    return undefined;
  }
}
