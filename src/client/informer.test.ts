import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { startServer } from '../server/index.ts';
import { ApiError } from './api-error.ts';
import { Backoff } from './backoff.ts';
import { Informer } from './informer.ts';
import { InformerFactory } from './informer-factory.ts';
import type { ReflectorSource } from './reflector.ts';
import type { Parameters, WatchEvent } from './resource-client.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

function object(name: string, resourceVersion: string, uid = `uid of ${name}`): ResourceObject {
  return { metadata: { name, namespace: 'a', resourceVersion, uid } };
}
const added = (name: string, version: string, uid?: string): Event => ({
  type: 'ADDED',
  object: object(name, version, uid),
});
const end = (resourceVersion: string): Event => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } },
});
const gone: Event = { type: 'ERROR', object: { kind: 'Status', code: 410, metadata: {} } };
const hold = 'hold';

type Event = WatchEvent<ResourceObject>;
/** The events of one stream. The stream then ends, unless it is held open or fails. */
type Stream = readonly (Event | Error | typeof hold)[];

/** Returns these streams one after the other, and then one that stays open. */
class ScriptedSource implements ReflectorSource<ResourceObject> {
  readonly requests: Parameters[] = [];
  readonly #streams: Stream[];

  constructor(streams: Stream[]) {
    this.#streams = streams;
  }

  async *watch(parameters: Parameters, signal: AbortSignal): AsyncGenerator<Event> {
    this.requests.push(parameters);
    for (const step of this.#streams.shift() ?? [hold]) {
      if (step instanceof Error) throw step;
      if (step === hold) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      else yield structuredClone(step);
    }
  }

  async list(parameters: Parameters) {
    this.requests.push(parameters);
    const items = parameters.continue ? [object('b', '2')] : [object('a', '1')];
    const metadata = { resourceVersion: '5', ...(!parameters.continue && { continue: 'more' }) };
    return { kind: 'List', apiVersion: 'v1', metadata, items };
  }
}

function follow(streams: Stream[]) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const source = new ScriptedSource(streams);
  const notified: string[] = [];
  const errors: string[] = [];
  const report = (error: Error) => void errors.push(error.message);
  const backoff = new Backoff({ initialMs: 1, maxMs: 2 });
  const informer = new Informer(source, { report, backoff }, stop.signal);
  const note =
    (what: string) =>
    ({ metadata: { name, resourceVersion } }: ResourceObject) =>
      void notified.push(`${what} ${name} ${resourceVersion}`);
  informer.addHandler({ added: note('+'), updated: note('~'), deleted: note('-') });
  const requestsReach = (count: number) =>
    vi.waitFor(() => expect(source.requests).toHaveLength(count), { interval: 1 });
  return { informer, source, notified, errors, stop, requestsReach };
}

describe('an informer', () => {
  it.each<[string, Stream[], string[]]>([
    [
      'goes on after a cut where it was',
      [
        [added('a', '1'), end('3'), added('b', '4')],
        [{ type: 'DELETED', object: object('a', '5') }, hold],
      ],
      ['+ a 1', '+ b 4', '- a 5'],
    ],
    [
      'lists again when its version is gone, and tells the differences',
      [
        [added('a', '1'), added('b', '2'), added('c', '3'), end('3'), gone],
        [added('a', '1'), added('b', '7'), end('9'), hold],
      ],
      ['+ a 1', '+ b 2', '+ c 3', '~ b 7', '- c 3'],
    ],
    [
      'lists again when the request says that its version is gone',
      [[added('a', '1'), end('3')], [new ApiError(410, '')], [end('9'), hold]],
      ['+ a 1', '- a 1'],
    ],
    [
      'begins anew when the list was cut',
      [[added('b', '1')], [added('a', '1'), end('3'), hold]],
      ['+ b 1', '+ a 1', '- b 1'],
    ],
    [
      'tells of an object that took the name of another unseen',
      [
        [added('a', '1', 'first'), end('1'), gone],
        [added('a', '5', 'second'), end('5'), hold],
      ],
      ['+ a 1', '- a 1', '+ a 5'],
    ],
    [
      'takes events for what they mean',
      [
        [
          end('1'),
          { type: 'MODIFIED', object: object('a', '2') },
          added('a', '3'),
          { type: 'DELETED', object: object('b', '4') },
          hold,
        ],
      ],
      ['+ a 2', '~ a 3'],
    ],
  ])('%s', async (_what, streams, expected) => {
    const count = streams.length;
    const { informer, notified, requestsReach, errors } = follow(streams);
    await informer.synced;
    await requestsReach(count);
    await vi.waitFor(() => expect(notified).toEqual(expected), { interval: 1 });
    expect(errors).toEqual([]);
  });

  it('resumes after its last event or bookmark', async () => {
    const bookmark: Event = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } };
    const { source, requestsReach } = follow([[end('3'), added('b', '4')], [bookmark]]);
    await requestsReach(3);
    expect(
      source.requests.map(({ sendInitialEvents, resourceVersion }) => sendInitialEvents ?? resourceVersion),
    ).toEqual([true, '4', '8']);
  });

  it('reports failures and continues', async () => {
    const { informer, errors, notified } = follow([
      [new Error('refused')],
      [added('a', '1'), end('3'), new Error('cut')],
      [added('b', '4'), hold],
    ]);
    await informer.synced;
    await vi.waitFor(() => expect(notified).toEqual(['+ a 1', '+ b 4']), { interval: 1 });
    expect(errors).toEqual(['refused', 'cut']);
  });

  it('lists in pages when the server cannot stream lists', async () => {
    const { informer, source, requestsReach } = follow([[new ApiError(422, '')]]);
    await informer.synced;
    await requestsReach(4);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(source.requests[2]).toMatchObject({ limit: 500, continue: 'more' });
    expect(source.requests[3]).toMatchObject({ resourceVersion: '5' });
  });

  it('finds objects by its indexes', async () => {
    const { informer, notified } = follow([
      [added('a', '1'), added('b', '2'), end('3'), { type: 'DELETED', object: object('a', '4') }, hold],
    ]);
    informer.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
    await vi.waitFor(() => expect(notified).toContain('- a 4'), { interval: 1 });
    informer.addIndex('uid', ({ metadata }) => [metadata.uid ?? '']);
    expect(informer.byIndex('namespace', 'a').map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(informer.byIndex('uid', 'uid of b')).toEqual([informer.get('a', 'b')]);
    expect(informer.byIndex('uid', 'uid of a')).toEqual([]);
    expect(() => informer.byIndex('owner', 'x')).toThrow('there is no index owner');
  });

  it('survives handlers that throw, and stops calling removed ones', async () => {
    const { informer, errors, notified } = follow([[added('a', '1'), end('1'), hold]]);
    await informer.synced;
    const remove = informer.addHandler({
      added: () => {
        throw new Error('no');
      },
    });
    remove();
    expect(errors).toEqual(['no']);
    expect(notified).toEqual(['+ a 1']);
  });

  it('stops and rejects synced', async () => {
    const { informer, stop } = follow([[added('a', '1'), hold]]);
    stop.abort();
    await informer.stopped;
    await expect(informer.synced).rejects.toBe(stop.signal.reason);
  });
});

describe('informers of a server', () => {
  async function started() {
    const server = await startServer({ storage: 'memory' });
    onTestFinished(() => server.stop());
    const { client } = server;
    const stop = new AbortController();
    const errors: Error[] = [];
    const factory = new InformerFactory({ client, report: (error) => errors.push(error), signal: stop.signal });
    await client.resource(namespaces).create({ metadata: { name: 'here' } });
    return { client, factory, stop, errors };
  }

  it('are shared, follow the server and stop', async () => {
    const { client, factory, stop, errors } = await started();
    const items = client.resource(configMaps, 'here');
    await items.create({ metadata: { name: 'first' }, data: { a: 'b' } });
    const full = factory.informer(configMaps, { namespace: 'here' });
    const metadata = factory.informer(configMaps, { metadataOnly: true });
    expect(factory.informer(configMaps, { metadataOnly: true })).toBe(metadata);
    expect(factory.informer(configMaps, { namespace: 'here', metadataOnly: true })).toBe(full);
    await Promise.all([full.synced, metadata.synced]);
    expect(full.get('here', 'first')).toMatchObject({ data: { a: 'b' } });
    expect(full.get('here', 'first')!.metadata).not.toHaveProperty('managedFields');
    expect(metadata.get('here', 'first')).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'first' } });
    expect(metadata.get('here', 'first')).not.toHaveProperty('data');
    const second = await items.create({ metadata: { name: 'second' } });
    await items.delete('first');
    for (const informer of [full, metadata]) {
      await vi.waitFor(() => expect(informer.get('here', 'first')).toBeUndefined(), { interval: 1 });
      expect(informer.get('here', 'second')?.metadata.uid).toBe(second.metadata.uid);
    }
    stop.abort();
    await factory.stopped();
    expect(errors).toEqual([]);
  });

  it('stop when the last user releases them', async () => {
    const { factory, errors } = await started();
    const informer = factory.informer(configMaps);
    factory.informer(configMaps);
    await informer.synced;
    factory.release(informer);
    expect(factory.informer(configMaps)).toBe(informer);
    factory.release(informer);
    factory.release(informer);
    await informer.stopped;
    expect(factory.informer(configMaps)).not.toBe(informer);
    expect(errors).toEqual([]);
  });
});
