import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StoredObject } from '../stored-object.ts';
import { OrderedObjects } from './ordered-objects.ts';
import { RecentBytes } from './recent-bytes.ts';

const itemStart = '{"kind":"A","apiVersion":"v1"'.length;

function stored(key: string, revision: number, filling = ''): StoredObject {
  const value = JSON.stringify({ kind: 'A', apiVersion: 'v1', metadata: { name: key, uid: 'u' }, filling });
  return StoredObject.fromValue({ key, value: Buffer.from(value), revision });
}

function itemsOf(order: OrderedObjects, start: string, end: string): { name: string; version: string }[] {
  const text = [...order.runs(start, end)].map((run) => run.items(itemStart).toString()).join('');
  const items = JSON.parse(`[${text.slice(1)}]`) as { metadata: { name: string; resourceVersion: string } }[];
  return items.map(({ metadata }) => ({ name: metadata.name, version: metadata.resourceVersion }));
}

it('holds what a sorted map holds, and so do its earlier states', () => {
  const key = fc.integer({ min: 0, max: 400 }).map((number) => `/k/${String(number).padStart(3, '0')}`);
  const operation = fc.record({ key, remove: fc.boolean(), large: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 400 }), key, key, (operations, from, to) => {
      const order = OrderedObjects.empty(new RecentBytes(50_000));
      const model = new Map<string, number>();
      const states: { order: OrderedObjects; model: Map<string, number> }[] = [];
      operations.forEach(({ key: changed, remove, large }, index) => {
        if (remove) {
          order.delete(changed);
          model.delete(changed);
        } else {
          order.put(stored(changed, index + 1, large === 0 ? 'x'.repeat(40_000) : ''));
          model.set(changed, index + 1);
        }
        if (index % 50 === 0) states.push({ order: order.snapshot(), model: new Map(model) });
      });
      for (const state of [...states, { order, model }]) {
        const all = [...state.model].sort(([a], [b]) => (a < b ? -1 : 1));
        const expected = all.map(([name, version]) => ({ name, version: String(version) }));
        expect(state.order.size).toBe(all.length);
        expect(itemsOf(state.order, '/k/', '/k0')).toEqual(expected);
        const between = expected.filter(({ name }) => name >= from && name < to);
        expect(itemsOf(state.order, from, to)).toEqual(between);
        expect(state.order.count(from, to)).toBe(between.length);
      }
    }),
    { numRuns: 40 },
  );
});

it('orders keys as storage does, by their UTF-8 bytes', () => {
  const names = ['z', '～', '🚢', 'é', 'a'];
  const order = OrderedObjects.empty(new RecentBytes(0));
  names.forEach((name, index) => {
    order.put(stored(`/k/${name}`, index + 1));
  });
  const listed = itemsOf(order, '/k/', '/k0').map(({ name }) => name.slice(3));
  expect(listed).toEqual(['a', 'z', 'é', '～', '🚢']);
  order.delete('/k/～');
  expect(order.count('/k/～', '/k0')).toBe(1);
});

it('keeps runs small enough to be sent at once', () => {
  const order = OrderedObjects.empty(new RecentBytes(0));
  for (let index = 0; index < 200; index++) order.put(stored(`/k/${index}`, index + 1, 'x'.repeat(10_000)));
  const sizes = [...order.runs('/k/', '/k0')].map((run) => run.items(itemStart).length);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(sizes.length).toBeGreaterThan(5);
});

it('makes the bytes of an unchanged segment once', () => {
  const order = OrderedObjects.empty(new RecentBytes(1_000_000));
  order.put(stored('/k/a', 1));
  order.put(stored('/k/b', 2));
  const [first] = order.runs('/k/', '/k0');
  const bytes = first!.items(itemStart);
  expect(first!.items(itemStart)).toBe(bytes);
  order.put(stored('/k/b', 3));
  const [changed] = order.runs('/k/', '/k0');
  expect(changed!.items(itemStart)).not.toBe(bytes);
});
