import { afterEach, expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { customSchema } from '../schema/structural/index.ts';
import { createMemoryStorage } from '../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../store/index.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { ResourceSet } from './resource-set.ts';

const lamps = { group: 'ex.io', resource: 'lamps' };
const verbs = ['create', 'delete', 'get', 'list', 'watch'] as const;

function lampVersion(version: string, storageVersion = version): ResourceDefinition {
  const kind = 'Lamp';
  return {
    ...lamps,
    version,
    kind,
    origin: 'built-in',
    singular: 'lamp',
    namespaced: false,
    shortNames: [],
    categories: [],
    verbs,
    subresources: [],
    schema: customSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { ...lamps, version, kind }),
    rules: { name: 'dnsSubdomain', generation: true, unconditionalUpdate: false, returnsDeleted: false },
    storage: {
      group: lamps.group,
      version: storageVersion,
      kind,
      keyPrefix: 'ex.io/lamps',
      converter: {
        isSynchronous: true,
        convert: (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
      },
    },
  };
}

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function emptySet() {
  const stop = new AbortController();
  stops.push(stop);
  const storage = createMemoryStorage();
  const encoded = new RecentBytes(1024);
  const signals: (AbortSignal | undefined)[] = [];
  const set = new ResourceSet({
    definitions: [],
    openStore: (prefix, _type, signal = stop.signal) => {
      signals.push(signal);
      return new CachedObjectStore({ storage, prefix, encoded, signal: AbortSignal.any([stop.signal, signal]) });
    },
  });
  return { set, signals };
}

const find = (set: ResourceSet, version: string) => set.find({ ...lamps, version });

async function create(set: ResourceSet, version: string, name: string): Promise<ResourceObject> {
  const body = { apiVersion: `ex.io/${version}`, kind: 'Lamp', metadata: { name }, size: 1 };
  const result = await find(set, version)!.verbs.create!({
    namespace: '',
    name: '',
    body: Buffer.from(JSON.stringify(body)),
    encoding: 'json',
    dryRun: false,
    fieldValidation: 'Strict',
    fieldManager: 'm',
    user: { username: 'u', groups: [] } as never,
    warn: () => {},
  });
  return JSON.parse(String((result as { bytes: Buffer }).bytes)) as ResourceObject;
}

async function read(set: ResourceSet, version: string, name: string): Promise<ResourceObject> {
  return JSON.parse(String(await find(set, version)!.verbs.get!({ namespace: '', name }))) as ResourceObject;
}

function watch(set: ResourceSet, version: string) {
  const ended = Promise.withResolvers<void>();
  const seen: string[] = [];
  const stop = new AbortController();
  stops.push(stop);
  let isEnded = false;
  const established = find(set, version)!.verbs.watch!({
    ...{ namespace: '', labelSelector: '', fieldSelector: '', resourceVersion: '', resourceVersionMatch: '' },
    ...{ sendInitialEvents: undefined, continueToken: '', onWait: () => {}, onError: ended.reject },
    onEvent: (event) => seen.push(`${event.type} ${event.object.apiVersion} ${event.object.metadata.name}`),
    onEnd: () => {
      isEnded = true;
      ended.resolve();
    },
    signal: stop.signal,
  });
  return { established, ended: ended.promise, seen, isEnded: () => isEnded };
}

it('serves a type, and another state of it, and no longer', async () => {
  const { set, signals } = emptySet();
  const generation = set.generation;
  const v1 = lampVersion('v1');
  set.serve({ ...lamps, definitions: [v1], unserved: [] });
  expect(set.generation).toBeGreaterThan(generation);
  expect(set.definitions).toEqual([v1]);
  // Only types of the server itself count for `hasGroup`.
  expect([set.hasGroup('ex.io'), find(set, 'v1')?.definition, find(set, 'v2')]).toEqual([false, v1, undefined]);
  await create(set, 'v1', 'a');
  const [first, second] = [lampVersion('v1', 'v2'), lampVersion('v2')];
  set.serve({ ...lamps, definitions: [first, second], unserved: [] });
  // Objects that were stored in the first version are also available in the second.
  expect([await read(set, 'v1', 'a'), await read(set, 'v2', 'a')]).toMatchObject([
    { apiVersion: 'ex.io/v1', size: 1 },
    { apiVersion: 'ex.io/v2', size: 1 },
  ]);
  set.withdraw(lamps);
  expect([set.definitions, find(set, 'v1'), find(set, 'v2')]).toEqual([[], undefined, undefined]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  // Stored objects stay, for example for a type that becomes invalid and valid again.
  set.serve({ ...lamps, definitions: [lampVersion('v1')], unserved: [] });
  expect(await read(set, 'v1', 'a')).toMatchObject({ apiVersion: 'ex.io/v1', size: 1 });
});

it('ends only the watches of versions that have another definition', async () => {
  const { set } = emptySet();
  const [v1, v2] = [lampVersion('v1', 'v1'), lampVersion('v2', 'v1')];
  set.serve({ ...lamps, definitions: [v1, v2], unserved: [] });
  const [first, second] = [watch(set, 'v1'), watch(set, 'v2')];
  await Promise.all([first.established, second.established]);
  set.serve({ ...lamps, definitions: [v1, lampVersion('v2', 'v1')], unserved: [] });
  await second.ended;
  expect(first.isEnded()).toBe(false);
  await create(set, 'v2', 'a');
  expect(first.seen).toEqual(['ADDED ex.io/v1 a']);
  set.withdraw(lamps);
  await first.ended;
});

it('waits for the writes that have begun', async () => {
  const { set } = emptySet();
  set.serve({ ...lamps, definitions: [lampVersion('v1')], unserved: [] });
  const created = create(set, 'v1', 'a');
  await set.createsEnded({ type: lamps });
  expect(await read(set, 'v1', 'a')).toMatchObject({ metadata: { name: 'a' } });
  await created;
});

it('does not replace a built-in type', () => {
  const stop = new AbortController();
  stops.push(stop);
  const set = new ResourceSet({
    definitions: [lampVersion('v1')],
    openStore: (prefix) =>
      new CachedObjectStore({
        storage: createMemoryStorage(),
        prefix,
        encoded: new RecentBytes(1),
        signal: stop.signal,
      }),
  });
  expect(() => set.serve({ ...lamps, definitions: [lampVersion('v2')], unserved: [] })).toThrow('built in');
});

it('lists the same objects until one of them changes', async () => {
  const lamp = lampVersion('v1');
  const { converter: _, ...storage } = lamp.storage!;
  const stop = new AbortController();
  stops.push(stop);
  const stored = createMemoryStorage();
  const set = new ResourceSet({
    definitions: [{ ...lamp, namespaced: true, storage }],
    openStore: (prefix) =>
      new CachedObjectStore({ storage: stored, prefix, encoded: new RecentBytes(1024), signal: stop.signal }),
  });
  const type = { ...lamps, version: 'v1' };
  const make = (namespace: string, name: string): Promise<void> =>
    set.create(
      type,
      { metadata: { namespace, name } },
      { user: { username: 'u', groups: [] } as never, fieldManager: 'm' },
    );
  const names = async (namespace: string): Promise<unknown[]> =>
    (await set.list(type, namespace)).map(({ metadata }) => metadata.name);
  await make('one', 'a');
  expect([await names('one'), await names('two'), await names('')]).toEqual([['a'], [], ['a']]);
  expect(await set.list(type, 'one')).toBe(await set.list(type, 'one'));
  await make('two', 'b');
  expect([await names('one'), await names('two'), await names('')]).toEqual([['a'], ['b'], ['a', 'b']]);
  await set.update(type, { namespace: 'one', name: 'a' }, (lamp) => ({ ...lamp, size: 2 }));
  expect(await set.list(type, 'one')).toMatchObject([{ size: 2 }]);
  for (let number = 0; number < 100; number++) await make('many', `n-${number}`);
  expect([await names('many'), await names('one')]).toMatchObject([{ length: 100 }, ['a']]);
});

it('makes a version of a type when it is first used, with the verbs of the time at which it began to be served', () => {
  const made: string[] = [];
  const set = new ResourceSet({
    definitions: [],
    openStore: (prefix) =>
      new CachedObjectStore({
        ...{ storage: createMemoryStorage(), prefix, encoded: new RecentBytes(1024) },
        signal: new AbortController().signal,
      }),
    transactions: ({ version }) => {
      made.push(version);
      return undefined;
    },
  });
  let offered: ResourceDefinition['verbs'] = verbs;
  const changing: ResourceDefinition = {
    ...lampVersion('v2', 'v1'),
    get verbs() {
      return offered;
    },
  };
  set.serve({ ...lamps, definitions: [lampVersion('v1'), changing], unserved: [] });
  expect([made, set.definitions.length]).toEqual([[], 2]);
  // The verbs of a type whose definition is being deleted.
  offered = ['delete', 'get', 'list', 'watch'];
  expect(Object.keys(find(set, 'v2')!.verbs)).toContain('create');
  expect(made).toEqual(['v2']);
  expect(find(set, 'v2')).toBe(find(set, 'v2'));
  set.withdraw(lamps);
  expect([made, find(set, 'v1')]).toEqual([['v2'], undefined]);
});
