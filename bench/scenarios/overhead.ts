import type { ServerOptions } from '../../src/index.ts';
import { compare } from '../comparison.ts';
import { siblingPod, startSiblings } from '../fixtures/sibling-servers.ts';
import type { Scenario } from '../scenario.ts';

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
    const [ours, bare] = await startSiblings(bench, [{}, off]);
    const comparison = await compare(
      bench,
      { ours: ours!, bare: bare! },
      { protocol: 'h2', connections: 4, streams: 8, request: () => ({ method: 'GET', path: siblingPod }) },
      { rounds: bench.options.quick ? 15 : 41, roundSeconds: 0.3 },
    );
    await ours!.stop();
    const { detail, cpuRatio } = comparison;
    // What else the machine does makes rounds more expensive, never cheaper.
    const ratio = detail.oursLowCpuMicros! / detail.bareLowCpuMicros!;
    return [
      {
        name,
        title: `GET one pod: processor time for ${what}`,
        unit: '%',
        better: 'lower',
        goal: { absolute: goal },
        ours: (ratio - 1) * 100,
        cpuRatio,
        detail,
      },
    ];
  },
}));
