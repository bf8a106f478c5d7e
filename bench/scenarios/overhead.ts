import type { ServerOptions } from '../../src/index.ts';
import { siblingPod, startSiblings } from '../fixtures/sibling-servers.ts';
import type { Scenario } from '../scenario.ts';
import { compareSlices } from '../slices.ts';

interface Variant {
  readonly name: string;
  readonly what: string;
  readonly off: ServerOptions;
  /** In per cent of the processor time of a GET. */
  readonly goal: number;
}

const variants: readonly Variant[] = [
  {
    name: 'metrics-cost',
    what: 'metrics and the log of slow requests',
    off: { enableMetrics: false, slowRequestThresholdMs: 0 },
    goal: 2,
  },
  {
    name: 'flow-control-cost',
    what: 'flow control',
    off: { enablePriorityAndFairness: false, maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 },
    goal: 5,
  },
];

/** What parts cost that every request passes: the processor time of a GET with and without them, in many short turns. */
export const overheadScenarios: readonly Scenario[] = variants.map(({ name, what, off, goal }) => ({
  name,
  run: async (bench) => {
    const [first, second, third, fourth] = await startSiblings(bench, [{}, off, off, {}]);
    const { cost, noise, withMicros, withoutMicros } = await compareSlices(
      bench,
      { with: [first!, fourth!], without: [second!, third!] },
      { protocol: 'h2', connections: 4, streams: 8, request: { method: 'GET', path: siblingPod } },
      { rounds: bench.options.quick ? 60 : 200, requests: 1000 },
    );
    await first!.stop();
    return [
      {
        name,
        title: `GET one pod: processor time for ${what}`,
        unit: '%',
        better: 'lower',
        goal: { absolute: goal },
        ours: cost,
        detail: { noisePercent: noise, oursCpuMicros: withMicros, bareCpuMicros: withoutMicros },
      },
    ];
  },
}));
