import type { Bench } from '../bench.ts';
import { definitionName, definitionsPath, sampleDefinition } from '../fixtures/sample-definitions.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { DefinitionClient } from '../servers/definition-client.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';
import { median, percentile } from '../statistics.ts';

interface Created {
  readonly directory: string;
  readonly establishMs: readonly number[];
  readonly kilobytesEach: number;
}

/** The number of definitions that are created concurrently during an installation. */
const installers = 8;

/** A server with many definitions: the cost of each, and the cost of changing one. */
export const definitionsScenario: Scenario = {
  name: 'definitions',
  run: async (bench) => {
    const count = bench.options.quick ? 200 : 1000;
    const { directory, establishMs, kilobytesEach } = await createDefinitions(bench, count);
    const installMs = await installDefinitions(bench, count);
    const starts = await startAgain(bench, directory);
    const pauses = await changeOne(bench, directory);
    const many = count.toLocaleString('en');
    const row = (name: string, title: string, figures: Pick<Measurement, 'unit' | 'ours' | 'goal' | 'detail'>) => ({
      name: `definitions-${name}`,
      title,
      better: 'lower' as const,
      ...figures,
    });
    const spread = (values: readonly number[]) => ({
      lowest: Math.min(...values),
      highest: Math.max(...values),
      p99: percentile(values, 0.99),
    });
    return [
      row('establish', `definition of 20 KB, POST to Established, ${many} in all`, {
        unit: 'ms',
        ours: median(establishMs),
        goal: { absolute: 5 },
        detail: {
          ...spread(establishMs),
          first: median(establishMs.slice(0, count / 10)),
          last: median(establishMs.slice(-count / 10)),
        },
      }),
      row('install', `${many} definitions of 20 KB, ${installers} at a time, each`, {
        unit: 'ms',
        ours: installMs,
        goal: { absolute: 5 },
        detail: {},
      }),
      row('memory', `RSS for each of ${many} definitions`, {
        unit: 'KB',
        ours: kilobytesEach,
        goal: { absolute: 500 },
        detail: { afterStart: starts.kilobytesEach },
      }),
      row('start', `start to ready, ${many} definitions`, {
        unit: 'ms',
        ours: median(starts.ms),
        goal: { absolute: 1000 },
        detail: spread(starts.ms),
      }),
      row('pause', `longest pause of the loop, 1 of ${many} definitions changes`, {
        unit: 'ms',
        ours: median(pauses),
        goal: { absolute: 20 },
        detail: spread(pauses),
      }),
    ];
  },
};

async function createDefinitions(bench: Bench, count: number): Promise<Created> {
  const directory = await bench.makeDirectory();
  const server = await startKeelson(bench, directory);
  const before = await settledMegabytes(server.pid);
  bench.log(`creating ${count} definitions`);
  const client = await DefinitionClient.open(server.target('h2'));
  const establishMs: number[] = [];
  for (let index = 0; index < count; index++) {
    establishMs.push(await client.establish(definitionName(index), sampleDefinition(index)));
  }
  client.close();
  const after = await settledMegabytes(server.pid);
  await server.stop();
  return { directory, establishMs, kilobytesEach: ((after - before) * 1000) / count };
}

/** Returns the milliseconds per definition until all are established, as when a platform is installed. */
async function installDefinitions(bench: Bench, count: number): Promise<number> {
  const server = await startKeelson(bench, await bench.makeDirectory());
  const client = await DefinitionClient.open(server.target('h2'));
  const definitions = Array.from({ length: count }, (_, index) => sampleDefinition(index));
  const remaining = definitions.entries();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: installers }, async () => {
      for (const [index, definition] of remaining) await client.establish(definitionName(index), definition);
    }),
  );
  const elapsed = performance.now() - startedAt;
  client.close();
  await server.stop();
  return elapsed / count;
}

/** Alternates with starts on an empty directory, which show the cost of the definitions in memory. */
async function startAgain(bench: Bench, directory: string): Promise<{ ms: number[]; kilobytesEach: number }> {
  const ms: number[] = [];
  const kilobytes: number[] = [];
  for (let start = 0; start < Math.min(3, bench.options.starts); start++) {
    const sizes: number[] = [];
    for (const each of [await bench.makeDirectory(), directory]) {
      const server = await startKeelson(bench, each);
      if (each === directory) ms.push(server.startMs);
      sizes.push((await settledMegabytes(server.pid)) * 1000);
      await server.stop();
    }
    kilobytes.push(sizes[1]! - sizes[0]!);
  }
  const count = bench.options.quick ? 200 : 1000;
  return { ms, kilobytesEach: median(kilobytes) / count };
}

/** Clients have read discovery and OpenAPI before, as `kubectl` does, and read them again after each change. */
async function changeOne(bench: Bench, directory: string): Promise<number[]> {
  const server = await startKeelson(bench, directory, { watchLoop: true });
  const client = await DefinitionClient.open(server.target('h2'));
  const path = `${definitionsPath}/${definitionName(0)}`;
  const pauses: number[] = [];
  for (let change = 0; change < 20; change++) {
    await server.longestPauseMs();
    const description = `change ${change}`;
    const patch = [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema/description', value: description }];
    await client.send('PATCH', path, { body: JSON.stringify(patch), contentType: 'application/json-patch+json' });
    for (const read of ['/apis', '/openapi/v3', '/openapi/v3/apis/team0.example.com/v1']) {
      await client.send('GET', read);
    }
    const pause = await server.longestPauseMs();
    // The first changes compile the code.
    if (change >= 5) pauses.push(pause);
  }
  client.close();
  await server.stop();
  return pauses;
}
