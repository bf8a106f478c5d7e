import { expect, it } from 'vitest';
import { Random } from '../../../../test/codec/random.ts';
import { sendRandomTraffic, type TrafficCount } from './random-traffic.conformance.ts';

const parts = 20;
const perPart = 50_000;
const total: TrafficCount = { requests: 0, connections: 0, sentBytes: 0, receivedBytes: 0 };

it.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `${perPart} random requests get their own responses in order (seed %i)`,
  async (seed) => {
    const count = await sendRandomTraffic(perPart, new Random(seed));
    for (const name of Object.keys(total) as (keyof TrafficCount)[]) total[name] += count[name];
  },
);

it('a million requests were sent', () => {
  console.log('HTTP/1.1 traffic', total);
  expect(total.requests).toBe(parts * perPart);
});
