import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fetchEtcds, fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../test/etcd/etcd-cluster.ts';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import type { EtcdLoop, EtcdLoopResult } from '../etcd-loop.ts';
import { type KeelsonServer, startKeelson } from './keelson-process.ts';

/** A fixture: one member of etcd with its data on disk. Undefined when there is no etcd. */
export async function startEtcd(bench: Bench): Promise<EtcdCluster | undefined> {
  const missing = await fetchEtcds();
  const program = fetchedEtcds().at(-1);
  if (program === undefined) {
    bench.log(`no etcd: ${missing.join(', ')}`);
    return undefined;
  }
  const cluster = await EtcdCluster.start({ program, parentDirectory: await bench.makeDirectory() });
  bench.cleanup.add(() => cluster.stop());
  return cluster;
}

/** Starts the server under test on etcd. */
export async function startOnEtcd(bench: Bench, { endpoints }: EtcdCluster): Promise<KeelsonServer> {
  return startKeelson(bench, await bench.makeDirectory(), {
    flags: ['--storage=etcd', `--etcd-servers=${endpoints.join(',')}`],
  });
}

export interface LoopProcess {
  readonly pid: number;
  run(loop: EtcdLoop): Promise<EtcdLoopResult>;
}

/** Starts the loop of bare transactions. */
export async function startEtcdLoop(bench: Bench, { endpoints }: EtcdCluster): Promise<LoopProcess> {
  const file = new URL('../etcd-loop.ts', import.meta.url);
  const child = fork(file, { cwd: repositoryRoot, env: { ...process.env, ETCD_ENDPOINT: endpoints[0]! } });
  bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  await once(child, 'message');
  return {
    pid: child.pid!,
    async run(loop) {
      const reply = once(child, 'message');
      child.send(loop);
      return (await reply)[0] as EtcdLoopResult;
    },
  };
}
