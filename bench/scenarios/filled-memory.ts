import { fillNamespace } from '../fixtures/filled-namespace.ts';
import { sampleConfigMap } from '../fixtures/sample-objects.ts';
import type { Scenario } from '../scenario.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { settledMegabytes } from '../servers/resident-memory.ts';

/** Resident memory with many small objects, created through the API one by one, as they come in real life. */
export const filledMemoryScenario: Scenario = {
  name: 'memory-filled',
  run: async (bench) => {
    const count = bench.options.quick ? 10_000 : 100_000;
    const server = await startKeelson(bench, await bench.makeDirectory());
    const idle = await settledMegabytes(server.pid);
    const body = sampleConfigMap('small');
    const filled = await fillNamespace(bench, {
      server,
      namespace: 'bench-memory',
      resource: 'configmaps',
      body,
      count,
    });
    const ours = await settledMegabytes(server.pid);
    await server.stop();
    return [
      {
        name: 'memory-filled',
        title: `RSS, ${count.toLocaleString('en')} small configmaps`,
        unit: 'MB',
        better: 'lower',
        ours,
        detail: {
          idle,
          bytesPerObject: Math.round(((ours - idle) * 1e6) / count),
          answerBytesPerObject: Math.round(filled.bodyBytes / count),
          createsPerSecond: Math.round(filled.requests / filled.seconds),
        },
      },
    ];
  },
};
