import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../../test/is-long.ts';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import { keyOrder } from '../../storage/key-order.ts';
import { StoredObject } from '../stored-object.ts';
import { CurrentObjects } from './current-objects.ts';
import { OrderedObjects } from './ordered-objects.ts';

const itemStart = '{"kind":"A","apiVersion":"v1"'.length;

function stored(key: string, revision: number, filling = ''): StoredObject {
  const value = JSON.stringify({ kind: 'A', apiVersion: 'v1', metadata: { name: key, uid: 'u' }, filling });
  return StoredObject.fromValue({ key, value: Buffer.from(value), revision });
}

/** Names and versions, parsed from the bytes of the runs. */
function itemsOf(order: OrderedObjects, start: string, end: string): string[] {
  const text = [...order.runs(start, end)].map((run) => run.items(itemStart).toString()).join('');
  const items = JSON.parse(`[${text.slice(1)}]`) as { metadata: { name: string; resourceVersion: string } }[];
  return items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
}

/** The reference model: a sorted array, modified and searched in the simplest way. */
class SortedArray {
  readonly objects: readonly StoredObject[];

  constructor(objects: readonly StoredObject[]) {
    this.objects = objects;
  }

  with(object: StoredObject): SortedArray {
    const others = this.without(object.key).objects;
    return new SortedArray([...others, object].sort((left, right) => (left.order < right.order ? -1 : 1)));
  }

  without(key: string): SortedArray {
    return new SortedArray(this.objects.filter((object) => object.key !== key));
  }

  between(startKey: string, endKey: string): StoredObject[] {
    const start = keyOrder(startKey);
    const end = keyOrder(endKey);
    return this.objects.filter(({ order }) => order >= start && order < end);
  }
}

function versionsOf(objects: Iterable<StoredObject>): string[] {
  return Array.from(objects, ({ key, revision }) => `${key}@${revision}`);
}

const key = fc
  .record({ number: fc.nat(500), sign: fc.constantFrom('', '', '', 'é', '～', '🚢') })
  .map(({ number, sign }) => `/k/${String(number).padStart(3, '0')}${sign}`);
const fillings = ['x'.repeat(300_000), 'x'.repeat(60_000), 'x'.repeat(30_000)];
const write = fc.record({ key, filling: fc.nat(60).map((kind) => fillings[kind] ?? ''), remove: fc.boolean() });
const history = fc.record({
  built: fc.nat(400),
  writes: fc.array(write, { minLength: 300, maxLength: 400 }),
  ranges: fc.array(fc.record({ from: key, to: key }), { minLength: 4, maxLength: 4 }),
  kept: fc.array(fc.nat(400), { minLength: 50, maxLength: 50 }),
});

it('equals a sorted array, in the current and all earlier versions, and in all states that were taken', () => {
  fc.assert(
    fc.property(history, ({ built, writes, ranges, kept }) => {
      const first = Array.from({ length: built }, (_, index) => stored(`/k/${String(index).padStart(3, '0')}`, 1));
      let order = OrderedObjects.of(first, new RecentBytes(500_000));
      let model = new SortedArray(first);
      const versions = [{ order, model }];
      const present = new CurrentObjects(order);
      const taken = [{ order: present.take(), model }];
      writes.forEach(({ key: changed, filling, remove }, index) => {
        const object = stored(changed, index + 2, filling);
        order = remove ? order.without(changed) : order.with(object);
        model = remove ? model.without(changed) : model.with(object);
        expect(order.get(changed)).toBe(remove ? undefined : object);
        versions.push({ order, model });
        if (remove) present.delete(changed);
        else present.put(object);
        if (!kept.slice(0, 10).includes(index)) return;
        taken.push({ order: present.take(), model });
        // Caches the items, as a list of a client does.
        itemsOf(present.take(), '/k/', '/k0');
      });
      taken.push({ order: present.take(), model });
      for (const version of [...taken, ...[...kept, writes.length].map((at) => versions[at % versions.length]!)]) {
        expect(version.order.size).toBe(version.model.objects.length);
        for (const { from, to } of [{ from: '/k/', to: '/k0' }, ...ranges]) {
          const found = [...version.order.runs(from, to)].flatMap(({ objects }) => objects);
          const wanted = version.model.between(from, to);
          expect(versionsOf(found).join()).toBe(versionsOf(wanted).join());
          expect(version.order.count(from, to)).toBe(wanted.length);
          expect(version.order.get(from)).toBe(version.model.objects.find((object) => object.key === from));
        }
      }
      const read = [kept[0]!, kept[1]!, writes.length].map((at) => versions[at % versions.length]!);
      for (const version of [...read, taken[0]!, taken[1]!, taken.at(-1)!]) {
        const { from, to } = ranges[0]!;
        expect(itemsOf(version.order, from, to)).toEqual(versionsOf(version.model.between(from, to)));
      }
    }),
    { numRuns: isLong ? 60 : 3 },
  );
});

const three = ['/k/b', '/k/d', '/k/f'];
it.each<{ keys: string[]; from: string; to: string; found: string[] }>([
  { keys: [], from: '/k/', to: '/k0', found: [] },
  { keys: ['/k/b'], from: '/k/', to: '/k0', found: ['/k/b'] },
  { keys: ['/k/b'], from: '/k/b', to: '/k/b!', found: ['/k/b'] },
  { keys: ['/k/b'], from: '/k/b!', to: '/k0', found: [] },
  { keys: ['/k/b'], from: '/k/', to: '/k/b', found: [] },
  { keys: three, from: '/k/b', to: '/k/f', found: ['/k/b', '/k/d'] },
  { keys: three, from: '/k/c', to: '/k/e', found: ['/k/d'] },
  { keys: three, from: '/k/c', to: '/k0', found: ['/k/d', '/k/f'] },
  { keys: three, from: '/k/e', to: '/k/e', found: [] },
  { keys: three, from: '/k/f', to: '/k/b', found: [] },
  { keys: three, from: '', to: '/', found: [] },
  { keys: three, from: '/l', to: '/m', found: [] },
])('finds $found between $from and $to in $keys', ({ keys, from, to, found }) => {
  const objects = keys.map((name) => stored(name, 1));
  const built = OrderedObjects.of(objects, new RecentBytes(0));
  const grown = objects.reduce((order, object) => order.with(object), OrderedObjects.empty(new RecentBytes(0)));
  for (const order of [built, grown]) {
    expect(itemsOf(order, from, to)).toEqual(found.map((name) => `${name}@1`));
    expect(order.count(from, to)).toBe(found.length);
    expect(order.size).toBe(keys.length);
  }
});

it('slices runs on both sides, and slices the slices', () => {
  const names = Array.from({ length: 26 }, (_, index) => `/k/${String.fromCharCode(97 + index)}`);
  const encoded = new RecentBytes(1_000_000);
  const order = OrderedObjects.of(
    names.map((name) => stored(name, 1)),
    encoded,
  );
  const [run, ...others] = order.runs('/k/c', '/k/x');
  expect(others).toEqual([]);
  expect(run!.objects.map((object) => object.key)).toEqual(names.slice(2, 23));
  const firstTwo = run!.first(2).items(itemStart).toString();
  expect(firstTwo).toMatch(/^,\{"metadata":\{"name":"\/k\/c".*,\{"metadata":\{"name":"\/k\/d"[^}]*\},"filling":""\}$/);
});

it('orders keys as storage does, by their UTF-8 bytes', () => {
  const names = ['z', '～', '🚢', 'é', 'a'];
  const order = names.reduce(
    (all, name, index) => all.with(stored(`/k/${name}`, index + 1)),
    OrderedObjects.empty(new RecentBytes(0)),
  );
  expect(itemsOf(order, '/k/', '/k0')).toEqual(['/k/a@5', '/k/z@1', '/k/é@4', '/k/～@2', '/k/🚢@3']);
  expect(order.get('/k/🚢')?.revision).toBe(3);
  const rest = order.without('/k/～');
  expect(rest.get('/k/～')).toBeUndefined();
  expect(rest.count('/k/～', '/k0')).toBe(1);
  expect(order.count('/k/～', '/k0')).toBe(2);
});

it('returns itself when an absent key is removed', () => {
  const empty = OrderedObjects.empty(new RecentBytes(0));
  expect(empty.without('/k/a')).toBe(empty);
  const one = empty.with(stored('/k/b', 1));
  for (const absent of ['/k/a', '/k/c', '/k/é']) expect(one.without(absent)).toBe(one);
  expect(one.without('/k/b').size).toBe(0);
});

it('continues an iteration of runs that began before a write', () => {
  const objects = Array.from({ length: 1000 }, (_, index) => stored(`/k/${String(index).padStart(4, '0')}`, 1));
  const before = OrderedObjects.of(objects, new RecentBytes(1_000_000));
  const runs = before.runs('/k/', '/k0');
  const seen = runs.next().value!.objects.slice();
  let after = before;
  for (const object of objects) after = after.without(object.key).with(object.withRevision(2));
  for (const run of runs) seen.push(...run.objects);
  expect(seen).toEqual(objects);
  expect(itemsOf(after, '/k/', '/k0')).toEqual(objects.map((object) => `${object.key}@2`));
});

it('keeps runs small enough to be sent at once', () => {
  let order = OrderedObjects.empty(new RecentBytes(0));
  for (let index = 0; index < 200; index++) order = order.with(stored(`/k/${index}`, index + 1, 'x'.repeat(10_000)));
  const sizes = [...order.runs('/k/', '/k0')].map((run) => run.items(itemStart).length);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(sizes.length).toBeGreaterThan(5);
});

it('encodes an unchanged segment once for all versions', () => {
  const objects = Array.from({ length: 100 }, (_, index) => stored(`/k/${String(index).padStart(2, '0')}`, 1));
  const before = OrderedObjects.of(objects, new RecentBytes(1_000_000));
  const bytesOf = (order: OrderedObjects): Buffer[] => [...order.runs('/k/', '/k0')].map((run) => run.items(itemStart));
  const [first, second] = bytesOf(before);
  const after = before.with(objects[0]!.withRevision(2));
  const [changed, same] = bytesOf(after);
  expect(changed).not.toBe(first);
  expect(same).toBe(second);
  expect(bytesOf(before)[0]).toEqual(first);
});

it.each<{ name: string; written: (order: OrderedObjects, object: StoredObject) => OrderedObjects }>([
  { name: 'replacing', written: (order, object) => order.with(object.withRevision(2)) },
  { name: 'removing', written: (order, { key: gone }) => order.without(gone) },
])('discards the cached bytes of a segment when $name one of its objects', ({ written }) => {
  const objects = Array.from({ length: 100 }, (_, index) => stored(`/k/${String(index).padStart(2, '0')}`, 1));
  const roomForAll = objects.reduce((sum, { bytes }) => sum + bytes.length - itemStart, 0);
  const before = OrderedObjects.of(objects, new RecentBytes(roomForAll));
  const [first, second] = before.runs('/k/', '/k0');
  const kept = second!.items(itemStart);
  first!.items(itemStart);
  const [changed] = written(before, objects[0]!).runs('/k/', '/k0');
  changed!.items(itemStart);
  expect(second!.items(itemStart)).toBe(kept);
});

it('does not cache the items of a segment that was replaced while a list is being sent', () => {
  const encoded = new RecentBytes(1_000_000);
  const objects = Array.from({ length: 20 }, (_, index) => stored(`/a/${String(index).padStart(2, '0')}`, index + 1));
  const before = OrderedObjects.of(objects, encoded);
  const [run] = before.runs(keyOrder('/a/'), keyOrder('/a0'));
  const replacements: ((order: OrderedObjects) => OrderedObjects)[] = [
    (order) => order.with(stored('/a/03', 30)),
    (order) => order.without('/a/03'),
  ];
  for (const replace of replacements) {
    const [present] = replace(before).runs(keyOrder('/a/'), keyOrder('/a0'));
    expect(run!.items(itemStart).length).toBeGreaterThan(0);
    expect(encoded.find(run!)).toBeUndefined();
    expect(encoded.find(present!)).toBeUndefined();
    expect(present!.items(itemStart)).toBe(encoded.find(present!));
  }
});
