import type { Bench } from '../bench.ts';
import { type FilledStore, fillEmbedded, fillEtcd } from '../fixtures/filled-stores.ts';
import { objectNamespace } from '../fixtures/object-file.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { startBareServer } from '../servers/bare-server-process.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { median } from '../statistics.ts';

const shape = { unit: 'ms', better: 'lower', goal: { absolute: 300 }, peer: { absolute: 3100 } } as const;

/**
 * The time from the start of the process until it reports ready, on an empty directory and again on the same directory.
 */
export const startUpScenario: Scenario = {
  name: 'start-up',
  run: async (bench) => {
    const first: number[] = [];
    const second: number[] = [];
    const bare: number[] = [];
    for (let start = 0; start < bench.options.starts; start++) {
      const directory = await bench.makeDirectory();
      let flags: readonly string[] = [];
      for (const times of [first, second]) {
        const server = await startKeelson(bench, directory, { flags });
        times.push(server.startMs);
        // The port stays the same, as it does for users: with another one, the service `kubernetes` has to change.
        flags = [`--secure-port=${server.target('h2').port}`];
        await server.stop();
      }
      const bareServer = await startBareServer(bench);
      bare.push(bareServer.startMs);
      await bareServer.stop();
    }
    const row = (name: string, title: string, times: readonly number[]): Measurement => ({
      ...shape,
      name,
      title,
      ours: median(times),
      bare: median(bare),
      ratio: median(times.map((time, start) => time / bare[start]!)),
      detail: { lowest: Math.min(...times), highest: Math.max(...times) },
    });
    return [
      row('start-up-first', 'start to ready, empty directory', first),
      row('start-up-again', 'start to ready, second start', second),
    ];
  },
};

/** A start with many objects in the store, and then the first read of one, which loads its type. */
async function startFilled(bench: Bench, name: string, { count, flags }: FilledStore): Promise<Measurement[]> {
  const starts: number[] = [];
  const reads: number[] = [];
  for (let start = 0; start < bench.options.starts; start++) {
    const directory = flags.find((flag) => flag.startsWith('--data-dir='))?.slice('--data-dir='.length);
    const server = await startKeelson(bench, directory ?? (await bench.makeDirectory()), { flags });
    starts.push(server.startMs);
    const startedAt = performance.now();
    const path = `/api/v1/namespaces/${objectNamespace}/configmaps/small-${'0'.repeat(12)}`;
    await callApi(server.target('http/1.1'), { method: 'GET', path });
    reads.push(performance.now() - startedAt);
    await server.stop();
  }
  return [
    {
      name,
      title: `start to ready, ${count.toLocaleString('en')} configmaps${name.includes('etcd') ? ' on etcd' : ''}`,
      unit: 'ms',
      better: 'lower',
      goal: { absolute: 1000 },
      ours: median(starts),
      detail: { lowest: Math.min(...starts), highest: Math.max(...starts), firstReadMs: median(reads) },
    },
  ];
}

export const filledStartScenarios: readonly Scenario[] = [
  { name: 'start-filled', run: async (bench) => startFilled(bench, 'start-filled', await bench.share(fillEmbedded)) },
  {
    name: 'start-etcd-filled',
    run: async (bench) => {
      const filled = await bench.share(fillEtcd);
      return filled === undefined ? [] : startFilled(bench, 'start-etcd-filled', filled);
    },
  },
];
