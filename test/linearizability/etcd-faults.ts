import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, http1Connection, textOf } from '../exactness/connection.ts';
import type { EtcdServers } from './etcd-servers.ts';

export interface EtcdFaultOptions {
  readonly subject: EtcdServers;
  readonly random: (limit: number) => number;
}

/**
 * Causes a fault. Returns how many milliseconds each server needed to accept writes again after a leader was elected.
 */
export type EtcdFault = (options: EtcdFaultOptions) => Promise<number[]>;

const pollMs = 20;
/** The minimum duration of an outage. */
const outageMs = 1500;
/** The time after which a client repeats its request. */
const impatienceMs = 1000;

/** Faults of three members and of the servers that use them. Each fault is repaired at its end. */
export const etcdFaults: Readonly<Record<string, EtcdFault>> = {
  'the leader is killed': async ({ subject }) => {
    const old = await leaderOf(subject);
    const member = subject.cluster.members[old]!;
    await member.kill();
    const served = await servedAgain(subject, { isLeader: (leader) => leader !== old });
    await member.start();
    await member.listening();
    return served;
  },
  'the leader is paused': async ({ subject }) => {
    const old = await leaderOf(subject);
    const member = subject.cluster.members[old]!;
    member.pause();
    return servedAgain(subject, { isLeader: (leader) => leader !== old }).finally(() => member.resume());
  },
  'another member is killed': async ({ subject, random }) => {
    const leader = await leaderOf(subject);
    const member = subject.cluster.members[(leader + 1 + random(2)) % 3]!;
    await member.kill();
    const served = await servedAgain(subject);
    await member.start();
    await member.listening();
    return served;
  },
  'another member is paused': async ({ subject, random }) => {
    const leader = await leaderOf(subject);
    const member = subject.cluster.members[(leader + 1 + random(2)) % 3]!;
    member.pause();
    return servedAgain(subject).finally(() => member.resume());
  },
  'all servers are cut off from the leader': async ({ subject }) => {
    const leader = await leaderOf(subject);
    const links = subject.links.map((own) => own[leader]!);
    for (const link of links) link.cut();
    const served = await servedAgain(subject);
    for (const link of links) link.heal();
    return served;
  },
  'one server is cut off from all members': async ({ subject, random }) => {
    const links = subject.links[random(subject.links.length)]!;
    for (const link of links) link.cut();
    await delay(outageMs);
    for (const link of links) link.heal();
    return servedAgain(subject);
  },
  'the leader is isolated': async ({ subject }) => {
    const old = await leaderOf(subject);
    await subject.cluster.isolate(subject.cluster.members[old]!);
    return servedAgain(subject, { isLeader: (leader) => leader !== old }).finally(() => subject.cluster.heal());
  },
  'another member is isolated': async ({ subject, random }) => {
    const leader = await leaderOf(subject);
    await subject.cluster.isolate(subject.cluster.members[(leader + 1 + random(2)) % 3]!);
    return servedAgain(subject).finally(() => subject.cluster.heal());
  },
  'all members are killed': async ({ subject }) => {
    const { members } = subject.cluster;
    await Promise.all(members.map((member) => member.kill()));
    await delay(outageMs);
    await Promise.all(members.map((member) => member.start()));
    await Promise.all(members.map((member) => member.listening()));
    return servedAgain(subject);
  },
};

/** Faults of server processes. */
export const serverFaults: Readonly<Record<string, EtcdFault>> = {
  'a server is killed': async ({ subject, random }) => {
    await subject.processes[random(subject.processes.length)]!.kill();
    return servedAgain(subject);
  },
  'a server is paused': async ({ subject, random }) => {
    const server = subject.processes[random(subject.processes.length)]!;
    server.pause();
    await delay(outageMs);
    server.resume();
    return servedAgain(subject);
  },
};

async function leaderOf(subject: EtcdServers): Promise<number> {
  for (;;) {
    const leader = await subject.leader();
    if (leader !== undefined) return leader;
    await delay(pollMs);
  }
}

async function servedAgain(
  subject: EtcdServers,
  { isLeader = () => true }: { isLeader?: (leader: number) => boolean } = {},
): Promise<number[]> {
  while (!isLeader(await leaderOf(subject))) await delay(pollMs);
  const start = Math.round(performance.now());
  return Promise.all(
    subject.endpoints.map(async (endpoint, server) => {
      const connection = http1Connection(endpoint);
      // Each attempt uses another object, because writes of the same object wait for each other.
      for (let probe = 0; !(await canWrite(connection, `probe-${start}-${server}-${probe}`)); probe++)
        await delay(pollMs);
      connection.close();
      return performance.now() - start;
    }),
  );
}

async function canWrite(connection: Connection, name: string): Promise<boolean> {
  const body = JSON.stringify({ metadata: { name }, data: { at: String(performance.now()) } });
  const sent = { method: 'PUT', body, contentType: 'application/json' };
  const path = `/api/v1/namespaces/default/configmaps/${name}`;
  try {
    const response = await connection.send(path, sent, AbortSignal.timeout(impatienceMs));
    await textOf(response);
    return response.status < 300;
  } catch {
    return false;
  }
}
