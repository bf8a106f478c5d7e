import { expect, test } from 'vitest';
import { Leases } from './leases.ts';

interface Recording {
  readonly leases: Leases;
  readonly granted: { id: number; seconds: number }[];
  /** The number of keys of each lease that gets no further keys. */
  readonly filled: number[];
}

function recording(seconds: number): Recording {
  const granted: { id: number; seconds: number }[] = [];
  const filled: number[] = [];
  const onFilled = (keys: number): void => void filled.push(keys);
  const grant = async (lease: { id: number; seconds: number }): Promise<void> => void granted.push(lease);
  return { leases: new Leases({ ttl: [{ prefix: '/events/', seconds }], grant, onFilled }), granted, filled };
}

test('keys without a rule have no lease', () => {
  expect(recording(3600).leases.for('/pods/a')).toBeUndefined();
});

test.each([
  { seconds: 10, granted: 10 },
  { seconds: 100, granted: 105 },
  { seconds: 3600, granted: 3660 },
  { seconds: 86400, granted: 86460 },
])('a lease for $seconds s is granted for $granted s, so that keys may share it for a while', async (expected) => {
  const { leases, granted } = recording(expected.seconds);
  await leases.for('/events/a');
  expect(granted).toMatchObject([{ seconds: expected.granted }]);
});

test('a thousand keys share a lease, also when they come at the same time', async () => {
  const { leases, granted, filled } = recording(3600);
  const ids = await Promise.all(Array.from({ length: 1001 }, (_, index) => leases.for(`/events/${index}`)));
  expect(granted).toHaveLength(2);
  expect(filled).toEqual([1000]);
  expect(ids.slice(0, 1000).every((id) => id === granted[0]!.id)).toBe(true);
  expect(ids[1000]).toBe(granted[1]!.id);
});

test('a lease that could not be granted is not used', async () => {
  let fails = true;
  const grant = async (): Promise<void> => {
    if (fails) throw new Error('no leader');
  };
  const leases = new Leases({ ttl: [{ prefix: '/events/', seconds: 3600 }], grant });
  await expect(leases.for('/events/a')).rejects.toThrow('no leader');
  fails = false;
  expect(await leases.for('/events/a')).toBeGreaterThan(0);
});
