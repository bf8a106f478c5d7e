import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest';
import { fetchedEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster, type EtcdMember } from '../../../test/etcd/etcd-cluster.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';
import { WriteLoad } from './write-load.conformance.ts';

const program = fetchedEtcds().at(-1);

interface Fault {
  readonly fail: (member: EtcdMember) => unknown;
  readonly repair: (member: EtcdMember) => unknown;
}

const faults = {
  killed: { fail: (member) => member.kill(), repair: (member) => member.start() },
  paused: { fail: (member) => member.pause(), repair: (member) => member.resume() },
} satisfies Record<string, Fault>;

/** The required behaviour of storage in a cluster of three members while one of them fails. */
export function describeMemberFaults(names: readonly (keyof typeof faults)[]): void {
  describe.skipIf(program === undefined)('a cluster of three members', () => {
    let cluster: EtcdCluster;
    beforeAll(async () => {
      cluster = await EtcdCluster.start({ program: program!, members: 3 });
    });
    afterAll(() => cluster.stop());

    async function open(prefix: string): Promise<Storage> {
      const options = { endpoints: cluster.endpoints, root: '', prefix, timeoutMs: 3000 };
      // On a busy machine, the members may take longer to elect their first leader.
      const storage = await vi.waitFor(() => openEtcdStorage(options));
      onTestFinished(() => storage.close());
      return storage;
    }

    // One of the members is the leader, and one of them is in use.
    test.each(names)('loses nothing and goes on while each member in turn is %s', async (name) => {
      const { fail, repair }: Fault = faults[name];
      const load = await WriteLoad.start(await open(`/${name}`));
      for (const member of cluster.members) {
        await load.succeed(20);
        await fail(member);
        await load.succeed(100);
        await repair(member);
        await member.listening();
      }
      await load.succeed(20);
      await load.verify();
    });

    test('refuses writes without a quorum, and goes on when there is one again', async () => {
      const load = await WriteLoad.start(await open('/quorum'), { writers: 2 });
      await load.succeed(20);
      const lost = cluster.members.slice(0, 2);
      await Promise.all(lost.map((member) => member.kill()));
      await load.fail(1);
      await Promise.all(lost.map((member) => member.start()));
      await load.succeed(20);
      await load.verify();
    });
  });
}
