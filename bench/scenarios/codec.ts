import { type CodecPair, codecPairs } from '../fixtures/codec-pairs.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

const rounds = 15;
const roundMs = 25;
const warmUpMs = 200;

/** Decoding and encoding in this process, without a server: the cost of each codec relative to the bare library. */
export const codecScenario: Scenario = {
  name: 'codec',
  run: async () => codecPairs().map(measure),
};

function measure({ name, title, ours, bare, bytes, goal }: CodecPair): Measurement {
  perSecond(ours, warmUpMs);
  perSecond(bare, warmUpMs);
  const oursRates: number[] = [];
  const bareRates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    oursRates.push(perSecond(ours, roundMs));
    bareRates.push(perSecond(bare, roundMs));
  }
  const ratios = oursRates.map((rate, round) => rate / bareRates[round]!);
  return {
    name: `codec-${name}`,
    title,
    unit: 'documents/s',
    better: 'higher',
    ours: median(oursRates),
    bare: median(bareRates),
    ratio: median(ratios),
    goal: goal === undefined ? undefined : { ratio: goal },
    detail: { lowestRatio: Math.min(...ratios), highestRatio: Math.max(...ratios), documentBytes: bytes },
  };
}

/** The clock is read once per batch, because reading it costs as much as a small document. */
const batch = 20;

function perSecond(work: () => unknown, milliseconds: number): number {
  const startedAt = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let turn = 0; turn < batch; turn++) work();
    count += batch;
    elapsed = performance.now() - startedAt;
  }
  return (count * 1000) / elapsed;
}
