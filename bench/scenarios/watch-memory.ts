import type { Bench } from '../bench.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import type { Scenario } from '../scenario.ts';
import { collectionVersion } from '../servers/api-call.ts';
import { startBareServer } from '../servers/bare-server-process.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';
import type { Server } from '../servers/server.ts';

const collection = '/api/v1/namespaces/default/pods';
const streams = 250;

/** The memory cost of an idle watch. The bare server shows the cost of an open stream in Node. */
export const watchMemoryScenario: Scenario = {
  name: 'memory-watchers',
  run: async (bench) => {
    const connections = bench.options.quick ? 8 : 40;
    const watchers = connections * streams;
    const server = await startKeelson(bench, await bench.makeDirectory());
    const version = await collectionVersion(server, collection);
    const path = `${collection}?watch=1&resourceVersion=${version}`;
    const ours = await holdAndMeasure(bench, server, { path, connections, streams });
    const bare = await holdAndMeasure(bench, await startBareServer(bench), { path, connections, streams });
    const kilobytesEach = ({ before, after }: Held) => ((after - before) * 1000) / watchers;
    return [
      {
        name: 'memory-watchers',
        title: `RSS on top, each of ${watchers.toLocaleString('en')} idle watchers`,
        unit: 'KB',
        better: 'lower',
        ours: kilobytesEach(ours),
        bare: kilobytesEach(bare),
        ratio: kilobytesEach(ours) / kilobytesEach(bare),
        detail: { before: ours.before, after: ours.after, bareBefore: bare.before, bareAfter: bare.after },
      },
    ];
  },
};

interface Held {
  readonly before: number;
  readonly after: number;
}

interface Layout {
  readonly path: string;
  readonly connections: number;
  readonly streams: number;
}

/** Stops the server after the measurement. */
async function holdAndMeasure(bench: Bench, server: Server, layout: Layout): Promise<Held> {
  const holder = await LoadGenerator.start(bench);
  // The first watches load code and buffers that the others share.
  await holder.holdWatches(server.target('h2'), { ...layout, connections: 1 });
  const before = await settledMegabytes(server.pid);
  await holder.holdWatches(server.target('h2'), layout);
  const after = await settledMegabytes(server.pid);
  await holder.stop();
  await server.stop();
  return { before, after };
}
