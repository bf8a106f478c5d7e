import { populateConfigMaps } from '../fixtures/config-map-population.ts';
import type { Scenario } from '../scenario.ts';

/** Resident memory with many small objects. */
export const filledMemoryScenario: Scenario = {
  name: 'memory-filled',
  run: async (bench) => {
    const { count, idleMegabytes, filledMegabytes, responseBytesPerObject, createsPerSecond } =
      await bench.share(populateConfigMaps);
    return [
      {
        name: 'memory-filled',
        title: `RSS, ${count.toLocaleString('en')} small configmaps`,
        unit: 'MB',
        better: 'lower',
        ours: filledMegabytes,
        goal: { absolute: 300 },
        detail: {
          idle: idleMegabytes,
          bytesPerObject: Math.round(((filledMegabytes - idleMegabytes) * 1e6) / count),
          answerBytesPerObject: responseBytesPerObject,
          createsPerSecond,
        },
      },
    ];
  },
};
