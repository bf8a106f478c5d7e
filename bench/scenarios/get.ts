import { compare } from '../comparison.ts';
import { populatePods } from '../fixtures/pod-population.ts';
import { jsonType, type Protocol, protobufType } from '../load/load-plan.ts';
import type { Scenario } from '../scenario.ts';

interface Variant {
  readonly name: string;
  readonly title: string;
  readonly protocol: Protocol;
  readonly connections: number;
  readonly streams: number;
  readonly accept?: string;
  readonly goal: number;
  readonly peerRatio?: number;
}

const variants: readonly Variant[] = [
  {
    name: 'get-http2',
    title: 'GET one pod, HTTP/2',
    protocol: 'h2',
    connections: 4,
    streams: 8,
    goal: 1.5,
    peerRatio: 0.12,
  },
  { name: 'get-http1', title: 'GET one pod, HTTP/1.1', protocol: 'http/1.1', connections: 32, streams: 1, goal: 0.6 },
  {
    name: 'get-protobuf',
    title: 'GET one pod, protobuf, HTTP/2',
    protocol: 'h2',
    connections: 4,
    streams: 8,
    accept: protobufType,
    goal: 0.6,
  },
];

/** Reads one object out of many repeatedly: the fixed cost of a request. */
export const getScenarios: readonly Scenario[] = variants.map(
  ({ name, title, accept = jsonType, goal, peerRatio, ...variant }) => ({
    name,
    run: async (bench) => {
      const { pair, podPath } = await bench.share(populatePods);
      await pair.copyResponse(podPath, accept);
      const request = { method: 'GET', path: podPath, accept } as const;
      const comparison = await compare(bench, pair, { ...variant, request: () => request });
      const peer = peerRatio === undefined ? undefined : { ratio: peerRatio };
      return [{ name, title, unit: 'requests/s', better: 'higher', goal: { ratio: goal }, peer, ...comparison }];
    },
  }),
);
