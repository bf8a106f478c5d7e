import { describe, expect, it } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { seeds } from '../exactness/seeds.ts';
import { etcdFaults, serverFaults } from './etcd-faults.ts';
import { EtcdServers } from './etcd-servers.ts';
import { runFault } from './run-fault.ts';

const faults = { ...etcdFaults, ...serverFaults };
const programs = fetchedEtcds();

describe.skipIf(programs.length === 0)('three servers on three members', () => {
  it.each(programs.flatMap(({ suite }) => Object.keys(faults).map((name) => ({ suite, name }))))(
    'have a linearizable history, and every watch receives all of it, although $name: etcd of Debian ($suite suite)',
    async ({ suite, name }) => {
      for (const seed of seeds(2)) {
        const program = programs.find((one) => one.suite === suite)!;
        const subject = await EtcdServers.start({ program, members: 3, servers: 3, processes: true });
        const { served, ...counts } = await runFault({ seed, subject, fault: faults[name]!, times: 3 });
        console.log(`${name}, seed ${seed}:`, JSON.stringify({ ...counts, served: served.map(Math.round) }));
        expect(Math.max(...served)).toBeLessThan(5000);
      }
    },
  );
});
