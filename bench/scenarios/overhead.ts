import type { ServerOptions } from '../../src/index.ts';
import { siblingPod, startSiblings } from '../fixtures/sibling-servers.ts';
import type { Scenario } from '../scenario.ts';
import { costOf, slicePairs } from '../slices.ts';
import { median } from '../statistics.ts';

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

/** V8 optimizes each process differently, which changes the result by about a per cent. */
const processes = 4;

/** The cost of parts that run for every request: the CPU time of a GET with and without them, in many short turns. */
export const overheadScenarios: readonly Scenario[] = variants.map(({ name, what, off, goal }) => ({
  name,
  run: async (bench) => {
    const pairs = { with: [] as number[], without: [] as number[] };
    for (let count = 0; count < processes; count++) {
      const [first, second, third, fourth] = await startSiblings(bench, [{}, off, off, {}]);
      const measured = await slicePairs(
        bench,
        { with: [first!, fourth!], without: [second!, third!] },
        { protocol: 'h2', connections: 4, streams: 8, request: { method: 'GET', path: siblingPod } },
        { rounds: bench.options.quick ? 60 : 150, requests: 300 },
      );
      await first!.stop();
      pairs.with.push(...measured.with);
      pairs.without.push(...measured.without);
    }
    const { cost, error } = costOf(pairs);
    return [
      {
        name,
        title: `GET one pod: processor time for ${what}`,
        unit: '%',
        better: 'lower',
        goal: { absolute: goal },
        ours: cost,
        detail: {
          standardErrorPercent: error,
          oursCpuMicros: median(pairs.with),
          bareCpuMicros: median(pairs.without),
        },
      },
    ];
  },
}));
