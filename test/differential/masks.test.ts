import { expect, it } from 'vitest';
import type { Json } from '../invariants/json.ts';
import { placeText } from './classes.ts';
import { compareExchanges } from './compare.ts';
import type { Exchange } from './player.ts';

function exchange(body: Json, more: Partial<Exchange> = {}): Exchange {
  const answer = { status: 200, warnings: [], body };
  const none = { type: undefined, accept: undefined, manager: undefined, body: undefined };
  return { method: 'GET', path: '/api/v1/things/one', ...none, isCompared: true, answer, ...more };
}

function places(left: readonly Exchange[], right: readonly Exchange[]): string[] {
  return compareExchanges(left, right).flatMap(({ index, differences }) =>
    differences.map(({ path }) => `${index} ${placeText(path)}`),
  );
}

const now = new Date().toISOString();

it.each<{ what: string; left: Json; right: Json }>([
  { what: 'uids', left: { metadata: { uid: 'aaaa-1' } }, right: { metadata: { uid: 'bbbb-2' } } },
  {
    what: 'uids in messages',
    left: { metadata: { uid: 'aaaa-1' }, message: 'owner aaaa-1 is absent' },
    right: { metadata: { uid: 'bbbb-2' }, message: 'owner bbbb-2 is absent' },
  },
  { what: 'versions', left: { metadata: { resourceVersion: '7' } }, right: { metadata: { resourceVersion: '19' } } },
  { what: 'times', left: { at: now }, right: { at: new Date(Date.now() + 90_000).toISOString() } },
  {
    what: 'generated names',
    left: { metadata: { generateName: 'a-', name: 'a-x1' }, self: '/a-x1' },
    right: { metadata: { generateName: 'a-', name: 'a-y2' }, self: '/a-y2' },
  },
  {
    what: 'addresses and ports',
    left: { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ nodePort: 30001 }] } },
    right: { spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ports: [{ nodePort: 30002 }] } },
  },
  { what: 'tokens', left: { status: { token: 'a.b.c' } }, right: { status: { token: 'd.e.f' } } },
  {
    what: 'the state of lists',
    left: { metadata: { resourceVersion: '7', continue: 'x' }, items: [] },
    right: { metadata: { resourceVersion: '8', continue: 'y' }, items: [] },
  },
])('$what may differ', ({ left, right }) => {
  expect(places([exchange(left)], [exchange(right)])).toEqual([]);
});

it.each<{ what: string; left: Json; right: Json; expected: string }>([
  {
    what: 'a uid that is the same in two places of one answer',
    left: { items: [{ metadata: { uid: 'a-1' } }, { metadata: { uid: 'a-1' } }] },
    right: { items: [{ metadata: { uid: 'b-1' } }, { metadata: { uid: 'b-2' } }] },
    expected: '0 items[].metadata.uid',
  },
  {
    what: 'times of the client',
    left: { at: '2024-05-01T00:00:00Z' },
    right: { at: '2024-05-01T00:00:01Z' },
    expected: '0 at',
  },
  { what: 'an absent address', left: { clusterIP: 'None' }, right: { clusterIP: '10.0.0.1' }, expected: '0 clusterIP' },
  {
    what: 'long numbers',
    left: { n: (2n ** 60n) as unknown as Json },
    right: { n: (2n ** 60n + 1n) as unknown as Json },
    expected: '0 n',
  },
  { what: 'keys of maps', left: { a: { 'x/y': 1 } }, right: { a: {} }, expected: '0 a.*' },
])('$what may not differ', ({ left, right, expected }) => {
  expect(places([exchange(left)], [exchange(right)])).toEqual([expected]);
});

it('notices a write that changes nothing on one server', () => {
  const versions = (...all: string[]) => all.map((resourceVersion) => exchange({ metadata: { resourceVersion } }));
  expect(places(versions('1', '1'), versions('5', '6'))).toEqual(['1 metadata.resourceVersion']);
});

it('compares nothing after a step that only one server accepted', () => {
  const refused = exchange({ message: 'no' }, { answer: { status: 422, warnings: [], body: { message: 'no' } } });
  expect(places([exchange({ a: 1 }), exchange({ b: 1 })], [refused, exchange({ b: 2 })])).toEqual(['0 status code']);
});
