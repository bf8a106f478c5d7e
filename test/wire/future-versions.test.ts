import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, type Event, TestApi, type TestWatch } from './api.ts';

/** The minimum time that a server waits for a future version before it responds with an error. */
const waitTimeoutMs = 2_500;
const future = '99999999';
const tooLarge = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: expect.stringMatching(/^Timeout: Too large resource version: 99999999, current: \d+$/),
  reason: 'Timeout',
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
  code: 504,
};

const reads = [
  ['get: resourceVersion=N', '/a?resourceVersion=N'],
  ['get of what is absent: resourceVersion=N', '/absent?resourceVersion=N'],
  ['list: resourceVersion=N', '?resourceVersion=N'],
  ['list: limit=n, resourceVersion=N', '?resourceVersion=N&limit=1'],
  ['list: match=Exact, resourceVersion=N', '?resourceVersion=N&resourceVersionMatch=Exact'],
  ['list: match=Exact, limit=n, resourceVersion=N', '?resourceVersion=N&resourceVersionMatch=Exact&limit=1'],
  ['list: match=NotOlderThan, resourceVersion=N', '?resourceVersion=N&resourceVersionMatch=NotOlderThan'],
  [
    'list: match=NotOlderThan, limit=n, resourceVersion=N',
    '?resourceVersion=N&resourceVersionMatch=NotOlderThan&limit=1',
  ],
  ['list: labelSelector, resourceVersion=N', '?resourceVersion=N&labelSelector=x'],
] as const;

const listing = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

describe.each(['memory', 'embedded'] as const)('%s: a version that has not been reached', (storage) => {
  let api: TestApi;
  let path: string;
  beforeAll(async () => {
    api = await TestApi.start({ storage });
    path = await api.configMaps('future', { a: {} });
  });
  afterAll(() => api.stop());

  async function current(): Promise<number> {
    return Number((await api.get(`${path}?limit=1`)).body.metadata.resourceVersion);
  }

  describe('and does not come', () => {
    interface Timed<T> {
      readonly value: T;
      readonly elapsed: number;
    }
    async function timed<T>(work: Promise<T>): Promise<Timed<T>> {
      const begin = performance.now();
      return { value: await work, elapsed: performance.now() - begin };
    }

    // All requests wait at the same time.
    const responses = new Map<string, Promise<Timed<ApiResponse>>>();
    let opened: Promise<Timed<TestWatch>>;
    let ended: Promise<Timed<(Event | undefined)[]>>;
    beforeAll(() => {
      for (const [name, query] of reads) {
        responses.set(name, timed(api.get(path + query.replace('N', future))));
      }
      opened = timed(api.watch(`${path}?${listing}&resourceVersion=${future}`));
      ended = timed(opened.then(async ({ value }) => [await value.next(), await value.next()]));
    });

    it.each(reads)('%s -> 504 after a while', async (name) => {
      const { value, elapsed } = await responses.get(name)!;
      expect(value.status).toBe(504);
      expect(value.body).toEqual(tooLarge);
      expect(value.headers['retry-after']).toBe('1');
      expect(elapsed).toBeGreaterThan(waitTimeoutMs);
    });

    it('watch: sendInitialEvents=true, resourceVersion=N -> 200 at once, an ERROR event after a while, the end', async () => {
      const { value: watch, elapsed } = await opened;
      expect(watch.status).toBe(200);
      const { value: events, elapsed: wait } = await ended;
      expect(events).toEqual([{ type: 'ERROR', object: tooLarge }, undefined]);
      expect(wait).toBeGreaterThan(waitTimeoutMs);
      // The stream was open well before the error arrived.
      expect(wait - elapsed).toBeGreaterThan(500);
      await watch.ended;
      expect(watch.endedCleanly).toBe(true);
    });
  });

  it.each(reads)('but comes during the wait: %s -> answered from then on', async (_, query) => {
    const next = (await current()) + 1;
    let responded = false;
    const response = api.get(path + query.replace('N', String(next))).finally(() => {
      responded = true;
    });
    // When the server has responded to some later requests, it has received the first one.
    for (let round = 0; round < 3; round++) expect(await current()).toBe(next - 1);
    expect(responded).toBe(false);
    const { body } = await api.patch(`${path}/a`, { data: { k: String(next) } });
    expect(body.metadata.resourceVersion).toBe(String(next));
    const { status, body: read } = await response;
    if (query.startsWith('/absent')) return expect(status).toBe(404);
    expect(status).toBe(200);
    if (query.includes('Exact')) expect(read.metadata.resourceVersion).toBe(String(next));
    else expect(Number(read.metadata.resourceVersion)).toBeGreaterThanOrEqual(next);
    if (query.includes('labelSelector')) expect(read.items).toEqual([]);
    else expect((read.items?.[0] ?? read).data).toEqual({ k: String(next) });
  });

  it('watch: resourceVersion=N -> silent until it has passed', async () => {
    const now = await current();
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${now + 2}&allowWatchBookmarks=true`);
    expect(watch.status).toBe(200);
    for (const name of ['w1', 'w2', 'w3', 'w4']) await api.post(path, { metadata: { name } });
    const events = [await watch.next(), await watch.next()];
    expect(events.map((event) => [event!.type, event!.object.metadata.resourceVersion])).toEqual([
      ['ADDED', String(now + 3)],
      ['ADDED', String(now + 4)],
    ]);
    watch.close();
  });

  it('watch: sendInitialEvents=false, resourceVersion=N -> silent until it has passed', async () => {
    const now = await current();
    const query = 'watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
    const watch = await api.watch(`${path}?${query}&resourceVersion=${now + 1}`);
    expect(watch.status).toBe(200);
    for (const name of ['f1', 'f2']) await api.post(path, { metadata: { name } });
    expect(await watch.take(1)).toEqual(['ADDED f2']);
    watch.close();
  });

  it('watch: sendInitialEvents=true, resourceVersion=N -> the state of that version as soon as it is there', async () => {
    const next = (await current()) + 1;
    const watch = await api.watch(`${path}?${listing}&resourceVersion=${next}&fieldSelector=metadata.name%3Ds1`);
    expect(watch.status).toBe(200);
    await api.post(path, { metadata: { name: 's1' } });
    expect(await watch.take(1)).toEqual(['ADDED s1']);
    const { type, object } = (await watch.next())!;
    expect(type).toBe('BOOKMARK');
    expect(object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(next);
    watch.close();
  });
});
