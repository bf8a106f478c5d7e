import type { Scenario } from '../scenario.ts';
import { startBareServer } from '../servers/bare-server-process.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';
import { median } from '../statistics.ts';

const starts = 3;

/** Resident memory of an idle server shortly after its start. */
export const idleMemoryScenario: Scenario = {
  name: 'memory-idle',
  run: async (bench) => {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let start = 0; start < (bench.options.quick ? 1 : starts); start++) {
      const server = await startKeelson(bench, await bench.makeDirectory());
      ours.push(await settledMegabytes(server.pid));
      await server.stop();
      const bareServer = await startBareServer(bench);
      bare.push(await settledMegabytes(bareServer.pid));
      await bareServer.stop();
    }
    return [
      {
        name: 'memory-idle',
        title: 'RSS, idle',
        unit: 'MB',
        better: 'lower',
        ours: median(ours),
        bare: median(bare),
        ratio: median(ours.map((size, start) => size / bare[start]!)),
        goal: { absolute: 95 },
        peer: { absolute: 297 },
        detail: { lowest: Math.min(...ours), highest: Math.max(...ours) },
      },
    ];
  },
};
