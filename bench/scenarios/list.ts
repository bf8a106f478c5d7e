import { compare } from '../comparison.ts';
import { itemCount } from '../fixtures/item-count.ts';
import { populatePods } from '../fixtures/pod-population.ts';
import { podSelectors } from '../fixtures/sample-objects.ts';
import { jsonType, type Protocol, protobufType } from '../load/load-plan.ts';
import type { Scenario } from '../scenario.ts';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly query: string;
  readonly items: number;
  readonly protocol: Protocol;
  readonly connections: number;
  readonly accept?: string;
  readonly goal?: number;
  readonly peerRatio?: number;
}

const largeList = 10_000;
/** A list of 10,000 pods has 26 MB: a shorter round would see few of them, or none. */
const largeListSeconds = 1;

const variants: readonly Variant[] = [
  {
    name: 'list-all-http2',
    title: 'LIST 10,000 pods, HTTP/2',
    query: '',
    items: 10_000,
    protocol: 'h2',
    connections: 2,
    goal: 0.9,
    peerRatio: 0.08,
  },
  {
    name: 'list-all-http1',
    title: 'LIST 10,000 pods, HTTP/1.1',
    query: '',
    items: 10_000,
    protocol: 'http/1.1',
    connections: 2,
    goal: 0.8,
  },
  {
    name: 'list-all-protobuf',
    title: 'LIST 10,000 pods, protobuf, HTTP/2',
    query: '',
    items: 10_000,
    protocol: 'h2',
    connections: 2,
    accept: protobufType,
    goal: 0.8,
  },
  {
    name: 'list-limit-500',
    title: 'LIST limit=500, HTTP/2',
    query: '?limit=500',
    items: 500,
    protocol: 'h2',
    connections: 4,
    goal: 1,
    peerRatio: 0.07,
  },
  {
    name: 'list-selector-all',
    title: 'LIST 10,000 pods, all match a selector',
    query: `?${podSelectors.all}`,
    items: 10_000,
    protocol: 'h2',
    connections: 2,
    goal: 0.8,
  },
  {
    name: 'list-selector-tenth',
    title: 'LIST 10,000 pods, 1,000 match a selector',
    query: `?${podSelectors.oneInTen}`,
    items: 1_000,
    protocol: 'h2',
    connections: 2,
  },
];

/** Large responses: the cost per byte. The bare server only copies bytes. */
export const listScenarios: readonly Scenario[] = variants.map(
  ({ name, title, query, items, accept = jsonType, goal, peerRatio, ...variant }) => ({
    name,
    run: async (bench) => {
      const { pair, listPath } = await bench.share(populatePods);
      const path = listPath + query;
      const count = itemCount(await pair.copyResponse(path, accept), accept);
      if (count !== items) throw new Error(`${path}: ${count} items instead of ${items}`);
      const { rounds, roundSeconds } = bench.options;
      const comparison = await compare(
        bench,
        pair,
        {
          ...variant,
          streams: 1,
          request: () => ({ method: 'GET', path, accept }),
          // Sixteen clients of the largest lists would spend the whole warm-up on one response each.
          warmUpConnections: items >= largeList ? variant.connections : undefined,
        },
        { rounds, roundSeconds: items >= largeList ? Math.max(roundSeconds, largeListSeconds) : roundSeconds },
      );
      const peer = peerRatio === undefined ? undefined : { ratio: peerRatio };
      const wanted = goal === undefined ? undefined : { ratio: goal };
      return [{ name, title, unit: 'requests/s', better: 'higher', goal: wanted, peer, ...comparison }];
    },
  }),
);
