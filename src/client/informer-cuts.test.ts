import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { isLong } from '../../test/is-long.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type Server, startServer } from '../server/index.ts';
import { Backoff } from './backoff.ts';
import { Client } from './client.ts';
import type { Fetch, LocalEvent } from './fetch.ts';
import { Informer } from './informer.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const steps = isLong ? 2_000 : 200;

let server: Server;
beforeAll(async () => {
  server = await startServer({ storage: 'memory', controllers: [] });
});
afterAll(() => server.stop());

/** Returns random numbers from 0 to below the limit. The same seed gives the same numbers. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

/**
 * Ends streams at any position, also inside an event; every other time with an error. Often the history before that is
 * removed.
 */
function cutting(fetch: Fetch, random: (limit: number) => number, takesEvents: boolean): Fetch {
  return async (request) => {
    if (request.path.includes('resourceVersion=') && random(3) === 0) {
      return { status: 410, headers: {}, body: text('{"kind":"Status","code":410}') };
    }
    const { events, ...response } = await fetch({
      ...request,
      takesEvents: takesEvents && request.takesEvents === true,
    });
    if (events !== undefined) return { ...response, events: cut(events, random) };
    return { ...response, body: cut(response.body, random) };
  };
}

async function* text(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

async function* cut<T extends Uint8Array | readonly LocalEvent[]>(
  chunks: AsyncIterable<T>,
  random: (limit: number) => number,
): AsyncGenerator<T> {
  let left = random(8);
  for await (const chunk of chunks) {
    if (left-- > 0) {
      yield chunk;
      continue;
    }
    yield chunk.slice(0, random(chunk.length)) as T;
    if (random(2) === 0) throw new Error('cut');
    return;
  }
}

/** The state according to the calls of the handlers. No call may be repeated or inconsistent. */
class Replayed {
  readonly objects = new Map<string, ResourceObject>();
  readonly mistakes: string[] = [];

  readonly handler = {
    added: (object: ResourceObject) => this.#set(object, { isNew: true }),
    updated: (object: ResourceObject, before: ResourceObject) => {
      if (this.objects.get(keyOf(object)) !== before) this.mistakes.push(`${keyOf(object)} had another state`);
      if (before.metadata.uid !== object.metadata.uid) this.mistakes.push(`${keyOf(object)} is another object`);
      this.#set(object, { isNew: false });
    },
    deleted: (object: ResourceObject) => {
      if (!this.objects.delete(keyOf(object))) this.mistakes.push(`${keyOf(object)} was not there`);
    },
  };

  #set(object: ResourceObject, { isNew }: { isNew: boolean }): void {
    const key = keyOf(object);
    const before = this.objects.get(key);
    if (isNew !== (before === undefined)) this.mistakes.push(`${key} was ${isNew ? 'there' : 'not there'}`);
    if (before !== undefined && versionOf(before) >= versionOf(object)) this.mistakes.push(`${key} went back`);
    this.objects.set(key, object);
  }
}

const keyOf = ({ metadata }: ResourceObject): string => `${metadata.namespace}/${metadata.name}`;
const versionOf = ({ metadata }: ResourceObject): number => Number(metadata.resourceVersion);

it.each([
  [1, 'bytes'],
  [2, 'bytes'],
  [3, 'bytes'],
  [4, 'bytes'],
  [5, 'events'],
  [6, 'events'],
  [7, 'events'],
  [8, 'events'],
])('misses nothing whatever is cut: seed %i, %s', async (seed, delivery) => {
  const namespace = `cut-${seed}`;
  await server.client.resource(namespaces).create({ metadata: { name: namespace } });
  const random = randomNumbers(seed);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const client = new Client(cutting(server.client.fetch, randomNumbers(seed + 100), delivery === 'events'));
  const backoff = new Backoff({ initialMs: 1, maxMs: 2 });
  const errors = new Set<string>();
  const options = { report: ({ message }: Error) => void errors.add(message), backoff };
  const informer = new Informer(client.resource(configMaps, namespace).metadataOnly(), options, stop.signal);
  const replayed = new Replayed();
  informer.addHandler(replayed.handler);

  const items = server.client.resource(configMaps, namespace);
  for (let step = 0; step < steps; step++) {
    const name = `x-${random(12)}`;
    const labels = { step: String(step) };
    const action = random(3);
    if (action === 0) await items.delete(name).catch(() => {});
    else if (action === 1) await items.patch(name, { metadata: { labels } }).catch(() => {});
    else await items.create({ metadata: { name, labels } }).catch(() => {});
    if (random(4) === 0) await new Promise((resolve) => setTimeout(resolve, random(4)));
  }
  const { items: present } = await items.list();
  const shown = (objects: Iterable<ResourceObject>): string[] =>
    Array.from(objects, (object) => `${keyOf(object)} ${object.metadata.uid} ${versionOf(object)}`).sort();
  await vi.waitFor(() => expect(shown(informer.list())).toEqual(shown(present)), { interval: 5 });
  expect(shown(replayed.objects.values())).toEqual(shown(present));
  expect(replayed.mistakes).toEqual([]);
  expect([...errors].filter((message) => message !== 'cut')).toEqual([]);
});
