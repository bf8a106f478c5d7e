import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runSync } from '../../meta/turns.ts';
import { ownMemory } from '../slab.ts';
import { StoredObject } from '../stored-object.ts';
import { ObjectSlabs } from './object-slabs.ts';

const key = (index: number): string => `/registry/things/t${index}`;
const document = (text: string): string => `{"metadata":{"uid":"u","resourceVersion":"7"},"text":"${text}"}\n`;

function stored(slabs: ObjectSlabs, index: number, text: string): StoredObject {
  const value = Buffer.from(`{"metadata":{"uid":"u"},"text":"${text}"}`);
  return StoredObject.fromValue({ key: key(index), value, revision: 7 }, slabs);
}

it('puts the bytes of many objects into few slabs', () => {
  const slabs = new ObjectSlabs();
  const objects = Array.from({ length: 1000 }, (_, index) => stored(slabs, index, `text ${index}`));
  expect(new Set(objects.map(({ slab }) => slab)).size).toBeLessThan(20);
  expect(objects.map(({ bytes }) => bytes.toString())).toEqual(objects.map((_, index) => document(`text ${index}`)));
  expect(slabs.isWasteful).toBe(false);
});

it('gives a large object a slab of its own, which is released with it', () => {
  const slabs = new ObjectSlabs();
  const small = stored(slabs, 1, 'small');
  const { capacity } = slabs;
  const large = stored(slabs, 2, 'x'.repeat(1_500_000));
  expect(slabs.capacity).toBe(capacity + large.size);
  expect(stored(slabs, 3, 'small').slab).toBe(small.slab);
  slabs.release(large);
  expect(slabs.capacity).toBe(capacity);
});

it('releases slabs without live objects', () => {
  const slabs = new ObjectSlabs();
  let last = stored(slabs, 1, 'first');
  for (let round = 0; round < 10_000; round++) {
    const next = stored(slabs, 1, `round ${round}`);
    slabs.release(last);
    last = next;
  }
  expect(slabs.capacity).toBeLessThan(64 * 1024);
});

it('moves past states out of the slabs, so that they do not keep them alive', () => {
  const slabs = new ObjectSlabs();
  const objects = Array.from({ length: 5000 }, (_, index) => stored(slabs, index, 'x'.repeat(100)));
  const past = objects.filter((_, index) => index % 4 !== 0);
  const current = objects.filter((_, index) => index % 4 === 0);
  for (const object of past) slabs.release(object);
  expect(slabs.isWasteful).toBe(true);
  runSync(slabs.compact({ current, past }));
  expect(slabs.isWasteful).toBe(false);
  const live = new Set(current.map(({ slab }) => slab));
  expect(past.filter(({ slab }) => live.has(slab) && slab.isSparse)).toEqual([]);
  expect(new Set(past.map(({ slab }) => slab)).size).toBeLessThan(20);
  expect(objects.every(({ bytes }) => bytes.toString() === document('x'.repeat(100)))).toBe(true);
});

const change = fc.record({
  index: fc.nat(40),
  kind: fc.constantFrom('put', 'put', 'put', 'delete', 'read', 'step', 'own'),
  length: fc.oneof(fc.nat(2000), fc.constant(30_000)),
});

it('keeps every object and every view of one, whatever is moved when', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const slabs = new ObjectSlabs();
      const current = new Map<string, StoredObject>();
      const texts = new Map<StoredObject, string>();
      const views: { readonly bytes: Buffer; readonly text: string }[] = [];
      const past: StoredObject[] = [];
      const drop = (at: string): void => {
        const object = current.get(at);
        if (object === undefined) return;
        slabs.release(object);
        past.push(object);
      };
      const compaction = () => slabs.compact({ current: current.values(), past });
      let running = compaction();
      for (const [serial, { index, kind, length }] of changes.entries()) {
        const at = key(index);
        const object = current.get(at);
        if (kind === 'put') {
          const text = `${serial}${'y'.repeat(length)}`;
          const next = stored(slabs, index, text);
          texts.set(next, text);
          drop(at);
          current.set(at, next);
        } else if (kind === 'delete') {
          drop(at);
          current.delete(at);
        } else if (kind === 'read' && object !== undefined) {
          views.push({ bytes: object.bytes, text: texts.get(object)! });
        } else if (kind === 'own' && past.length > 0) {
          past[0]!.moveTo(ownMemory);
        } else if (kind === 'step' && running.next().done === true) {
          running = compaction();
        }
      }
      for (const { bytes, text } of views) expect(bytes.toString() === document(text)).toBe(true);
      for (const [object, text] of texts) expect(object.bytes.toString() === document(text)).toBe(true);
      runSync(compaction());
      const live = [...current.values()].reduce((sum, { size }) => sum + size, 0);
      expect(slabs.capacity).toBeLessThan(live * 1.6 + 160 * 1024);
    }),
    { numRuns: 200 },
  );
});
