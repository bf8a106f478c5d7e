import { compare } from '../comparison.ts';
import { populatePods } from '../fixtures/pod-population.ts';
import type { Protocol } from '../load/load-plan.ts';
import type { Scenario } from '../scenario.ts';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly query: string;
  readonly protocol: Protocol;
  readonly connections: number;
  readonly peerRatio?: number;
}

const variants: readonly Variant[] = [
  {
    name: 'list-all-http2',
    title: 'LIST 10,000 pods, HTTP/2',
    query: '',
    protocol: 'h2',
    connections: 2,
    peerRatio: 0.08,
  },
  { name: 'list-all-http1', title: 'LIST 10,000 pods, HTTP/1.1', query: '', protocol: 'http/1.1', connections: 2 },
  {
    name: 'list-limit-500',
    title: 'LIST limit=500, HTTP/2',
    query: '?limit=500',
    protocol: 'h2',
    connections: 4,
    peerRatio: 0.07,
  },
];

/** Large answers: the cost per byte, where the bare server does nothing but copy. */
export const listScenarios: readonly Scenario[] = variants.map(({ name, title, query, peerRatio, ...variant }) => ({
  name,
  run: async (bench) => {
    const { pair, listPath } = await bench.share(populatePods);
    const path = listPath + query;
    await pair.copyAnswer(path);
    const comparison = await compare(bench, pair, { ...variant, streams: 1, request: () => ({ method: 'GET', path }) });
    const peer = peerRatio === undefined ? undefined : { ratio: peerRatio };
    return [{ name, title, unit: 'requests/s', better: 'higher', goal: { ratio: 0.8 }, peer, ...comparison }];
  },
}));
