import type { Measurement, Scenario } from '../scenario.ts';
import { startBareServer } from '../servers/bare-server-process.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { median } from '../statistics.ts';

const shape = { unit: 'ms', better: 'lower', goal: { absolute: 500 }, peer: { absolute: 3100 } } as const;

/** From the start of the process until it reports ready, on an empty directory and again on the same directory. */
export const startUpScenario: Scenario = {
  name: 'start-up',
  run: async (bench) => {
    const first: number[] = [];
    const second: number[] = [];
    const bare: number[] = [];
    for (let start = 0; start < bench.options.starts; start++) {
      const directory = await bench.makeDirectory();
      for (const times of [first, second]) {
        const server = await startKeelson(bench, directory);
        times.push(server.startMs);
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
