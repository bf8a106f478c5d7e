import type { Random } from '../../../../test/codec/random.ts';
import {
  bodyOf,
  connectHttp1,
  listenForTraffic,
  type PlannedRequest,
  pipeline,
  type Writing,
} from './http1-traffic.conformance.ts';

/** What a run has sent and received. The bytes are those of bodies. */
export interface TrafficCount {
  requests: number;
  connections: number;
  sentBytes: number;
  receivedBytes: number;
}

const writings: readonly Writing[] = ['at once', 'at once', 'head and body', 'head and body', 'in pieces', 'in chunks'];
/** The limits of lengths. Most are small. */
const limits: readonly number[] = [...Array<number>(75).fill(2_000), ...Array<number>(17).fill(20_000)].concat(
  Array<number>(7).fill(100_000),
  400_000,
);

/** Sends random requests over several connections at a time and checks every response. */
export async function sendRandomTraffic(total: number, random: Random): Promise<TrafficCount> {
  const listener = await listenForTraffic();
  const count: TrafficCount = { requests: 0, connections: 0, sentBytes: 0, receivedBytes: 0 };
  const plan = (isLast: boolean): PlannedRequest => {
    const body = random.chance(0.4) ? bodyOf(0) : bodyOf(random.below(random.pick(limits)), random.below(100_000));
    // Only after the last request of a pipeline, the client can wait for an invitation.
    const awaitsContinue = isLast && body.length > 0 && random.chance(0.1);
    const request = {
      id: count.requests++,
      body,
      writing: awaitsContinue ? 'after a 100' : random.pick(writings),
      responseLength: random.below(random.pick(limits)),
      isStreamed: random.chance(0.1),
    } as const;
    count.sentBytes += body.length;
    count.receivedBytes += request.responseLength;
    return request;
  };
  const useConnections = async (): Promise<void> => {
    while (count.requests < total) {
      count.connections++;
      const client = await connectHttp1(listener, { offers: random.chance(0.5), isSlow: random.chance(0.3) });
      for (let rounds = 1 + random.below(200); rounds > 0 && count.requests < total; rounds--) {
        const depth = Math.min(random.chance(0.5) ? 1 : 1 + random.below(8), total - count.requests);
        await pipeline(
          client,
          Array.from({ length: depth }, (_, index) => plan(index === depth - 1)),
        );
      }
      client.socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 6 }, useConnections));
  return count;
}
