import { compareTurns } from '../comparison.ts';
import { fanOutRound, sampleEvent } from '../fixtures/fan-out.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import { startServerPair } from '../fixtures/server-pair.ts';
import type { Scenario } from '../scenario.ts';

interface Variant {
  readonly name: string;
  readonly connections: number;
  readonly peer?: number;
}

const variants: readonly Variant[] = [
  { name: 'fan-out', connections: 4, peer: 0.52 },
  { name: 'fan-out-10000', connections: 40 },
];

/** One writer creates pods, and all watchers of the collection receive each of them. */
export const fanOutScenarios: readonly Scenario[] = variants.map(({ name, connections, peer }) => ({
  name,
  run: async (bench) => {
    const streams = bench.options.quick ? 50 : 250;
    const pair = await bench.share(startServerPair);
    const namespace = `bench-${name}`;
    await makeNamespace(pair.ours, namespace);
    const event = await sampleEvent(pair.ours, namespace);
    await pair.copyEvent(event);
    const fanOut = { namespace, versionOf: pair.ours, eventBytes: event.length, connections, streams };
    const comparison = await compareTurns(bench, pair, async (server, turn) =>
      fanOutRound(bench, { ...fanOut, server, turn }),
    );
    const watchers = connections * streams;
    return [
      {
        name,
        title: `fan-out to ${watchers.toLocaleString('en')} watchers`,
        unit: 'events/s',
        better: 'higher',
        goal: { ratio: 0.9 },
        peer: peer === undefined ? undefined : { ratio: peer },
        ...comparison,
      },
    ];
  },
}));
