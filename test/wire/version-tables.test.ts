import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Event, TestApi, type TestWatch } from './api.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly k: string };
}

/** The names of three objects in the past, and after a deletion, a change and a creation. */
const past = ['a', 'b', 'c'];
const present = ['b=new', 'c', 'd'];

/** Config maps whose state has changed since `before`. */
interface Scene {
  readonly path: string;
  /** The version of the past state. */
  readonly before: string;
  /** A token that continues after the first two objects of the past state. */
  readonly token: string;
  /** The version of the latest write. */
  readonly latest: string;
}

const text = ({ metadata, data }: ConfigMap): string =>
  data === undefined ? metadata.name : `${metadata.name}=${data.k}`;
const texts = (items: readonly ConfigMap[]): string[] => items.map(text);
const refusal = (message: string): string => `ListOptions.meta.k8s.io "" is invalid: ${message}`;

const listCells = [
  ['unset', 'limit unset', 'unset', 'Most Recent'],
  ['unset', 'limit unset', '0', 'Any'],
  ['unset', 'limit unset', 'N', 'Not older than'],
  ['unset', 'limit=n', 'unset', 'Most Recent'],
  ['unset', 'limit=n', '0', 'Any'],
  ['unset', 'limit=n', 'N', 'Exact'],
  ['unset', 'limit=n, continue=token', 'unset', 'Continuation'],
  ['unset', 'limit=n, continue=token', '0', 'Continuation'],
  ['unset', 'limit=n, continue=token', 'N', 'Invalid, 400'],
  ['Exact', 'limit unset', 'unset', 'Invalid, 400'],
  ['Exact', 'limit unset', '0', 'Invalid, 400'],
  ['Exact', 'limit unset', 'N', 'Exact'],
  ['Exact', 'limit=n', 'unset', 'Invalid, 400'],
  ['Exact', 'limit=n', '0', 'Invalid, 400'],
  ['Exact', 'limit=n', 'N', 'Exact'],
  ['NotOlderThan', 'limit unset', 'unset', 'Invalid, 400'],
  ['NotOlderThan', 'limit unset', '0', 'Any'],
  ['NotOlderThan', 'limit unset', 'N', 'Not older than'],
  ['NotOlderThan', 'limit=n', 'unset', 'Invalid, 400'],
  ['NotOlderThan', 'limit=n', '0', 'Any'],
  ['NotOlderThan', 'limit=n', 'N', 'Not older than'],
] as const;

type ListMode = (typeof listCells)[number][3];

const getStates = 'Get State and Start at';
const watchCells = [
  ['unset', 'unset', `${getStates} Most Recent`],
  ['unset', '0', `${getStates} Any`],
  ['unset', 'N', 'Start at Exact'],
  ['true', 'unset', `${getStates} Most Recent`],
  ['true', '0', `${getStates} Any`],
  ['true', 'N', `${getStates} Not older than`],
  ['false', 'unset', 'Start at Most Recent'],
  ['false', '0', 'Start at Any'],
  ['false', 'N', 'Start at Exact'],
] as const;

const matchWithoutEvents = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
const eventsWithoutMatch = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
const exactUnsupported = 'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"';
const matchWithContinue = 'resourceVersionMatch is forbidden when continue is provided';

describe.each(['memory', 'embedded'] as const)('%s', (storage) => {
  let api: TestApi;
  let scenes = 0;
  beforeAll(async () => {
    api = await TestApi.start({ storage });
  });
  afterAll(() => api.stop());

  async function scene(): Promise<Scene> {
    scenes += 1;
    const path = await api.configMaps(`scene-${scenes}`, { a: {}, b: {}, c: {} });
    const { resourceVersion, continue: token } = (await api.get(`${path}?limit=2`)).body.metadata;
    await api.delete(`${path}/a`);
    await api.patch(`${path}/b`, { data: { k: 'new' } });
    const last = await api.post(path, { metadata: { name: 'd' } });
    return { path, before: resourceVersion, token, latest: last.body.metadata.resourceVersion };
  }

  /** Writes an object that sorts before all others, so that it is on every first page. */
  async function written(path: string): Promise<number> {
    return Number((await api.post(path, { metadata: { name: 'aa' } })).body.metadata.resourceVersion);
  }

  async function itemsAt(path: string, version: string): Promise<string[]> {
    const { status, body } = await api.get(`${path}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect(status).toBe(200);
    return texts(body.items);
  }

  const getProofs = {
    'Most Recent': async ({ path }: Scene) => {
      const version = (await api.patch(`${path}/b`, { data: { k: 'newest' } })).body.metadata.resourceVersion;
      const { status, body } = await api.get(`${path}/b`);
      expect(status).toBe(200);
      expect(text(body)).toBe('b=newest');
      expect(body.metadata.resourceVersion).toBe(version);
    },
    Any: async ({ path }: Scene) => {
      const { status, body } = await api.get(`${path}/b?resourceVersion=0`);
      expect(status).toBe(200);
      expect(['b', 'b=new']).toContain(text(body));
    },
    'Not older than': async ({ path, before, latest }: Scene) => {
      expect((await api.get(`${path}/b?resourceVersion=${before}`)).status).toBe(200);
      // The state at that version includes the change of b, and nothing is newer.
      expect(text((await api.get(`${path}/b?resourceVersion=${latest}`)).body)).toBe('b=new');
      expect((await api.get(`${path}/a?resourceVersion=${latest}`)).status).toBe(404);
    },
  };

  it.each([
    ['unset', 'Most Recent'],
    ['0', 'Any'],
    ['N', 'Not older than'],
  ] as const)('get: resourceVersion=%s -> %s', async (_, mode) => getProofs[mode](await scene()));

  it('get: resourceVersionMatch means nothing', async () => {
    const { path, before } = await scene();
    const { status, body } = await api.get(`${path}/b?resourceVersion=${before}&resourceVersionMatch=Exact`);
    expect(status).toBe(200);
    expect(text(body)).toBe('b=new');
  });

  interface ListProof {
    readonly scene: Scene;
    readonly limit: number;
    readonly list: (version?: string) => ReturnType<TestApi['get']>;
    /** The expected error message. */
    readonly message: string;
  }

  const listProofs: Record<ListMode, (proof: ListProof) => Promise<void>> = {
    'Most Recent': async ({ scene, limit, list }) => {
      const version = await written(scene.path);
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(version);
      expect(texts(body.items)).toEqual(['aa', ...present].slice(0, limit));
    },
    Any: async ({ scene, limit, list }) => {
      const { status, body } = await list('0');
      expect(status).toBe(200);
      const { resourceVersion } = body.metadata;
      expect(texts(body.items)).toEqual((await itemsAt(scene.path, resourceVersion)).slice(0, limit));
    },
    'Not older than': async ({ scene, limit, list }) => {
      for (const requested of [scene.before, scene.latest]) {
        const { status, body } = await list(requested);
        expect(status).toBe(200);
        const { resourceVersion } = body.metadata;
        expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(requested));
        expect(texts(body.items)).toEqual((await itemsAt(scene.path, resourceVersion)).slice(0, limit));
        if (requested === scene.latest) expect(texts(body.items)).toEqual(present.slice(0, limit));
      }
    },
    Exact: async ({ scene, limit, list }) => {
      const { status, body } = await list(scene.before);
      expect(status).toBe(200);
      expect(body.metadata.resourceVersion).toBe(scene.before);
      expect(texts(body.items)).toEqual(past.slice(0, limit));
      if (limit >= past.length) return;
      const rest = (await api.get(`${scene.path}?continue=${body.metadata.continue}`)).body;
      expect(rest.metadata.resourceVersion).toBe(scene.before);
      expect(texts(rest.items)).toEqual(past.slice(limit));
    },
    Continuation: async ({ scene, list }) => {
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(body.metadata.resourceVersion).toBe(scene.before);
      expect(texts(body.items)).toEqual(['c']);
    },
    'Invalid, 400': async ({ scene, list, message }) => {
      const { status, body } = await list(scene.before);
      expect(status).toBe(400);
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'BadRequest', code: 400 });
      expect(body.message).toBe(message);
    },
  };

  const invalidTexts: Record<string, string> = {
    unset: refusal(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ),
    '0': refusal('resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    N: 'specifying resource version is not allowed when using continue',
  };

  it.each(listCells)('list: match=%s, %s, resourceVersion=%s -> %s', async (match, paging, version, mode) => {
    const made = await scene();
    const list = (other = made.before) =>
      api.get(
        `${made.path}?${query({
          resourceVersionMatch: match,
          limit: paging === 'limit unset' ? 'unset' : '2',
          continue: paging.includes('continue') ? made.token : 'unset',
          resourceVersion: version === 'N' ? other : version,
        })}`,
      );
    const limit = paging === 'limit unset' ? Number.POSITIVE_INFINITY : 2;
    await listProofs[mode]({ scene: made, limit, list, message: invalidTexts[version]! });
  });

  it.each([
    [
      'resourceVersion=N&resourceVersionMatch=Exact&continue=token',
      refusal(`resourceVersionMatch: Forbidden: ${matchWithContinue}`),
    ],
    [
      'resourceVersionMatch=NotOlderThan&continue=token',
      refusal(
        '[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, ' +
          `resourceVersionMatch: Forbidden: ${matchWithContinue}]`,
      ),
    ],
    [
      'resourceVersion=N&resourceVersionMatch=Newest',
      refusal('resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""'),
    ],
    [
      'resourceVersion=x',
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      refusal(
        '[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, ' +
          'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
      ),
    ],
  ])('list: %s -> Invalid, 400', async (parameters, message) => {
    const { path, before, token } = await scene();
    const { status, body } = await api.get(`${path}?${parameters.replace('N&', `${before}&`).replace('token', token)}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', message });
  });

  /** Returns the state of a client after these events. */
  function known(events: readonly Event[]): string[] {
    const objects = new Map<string, string>();
    for (const { type, object } of events) {
      if (type === 'DELETED') objects.delete(object.metadata.name);
      else if (type !== 'BOOKMARK') objects.set(object.metadata.name, text(object));
    }
    return [...objects.values()].sort();
  }

  async function eventsUntil(watch: TestWatch, last: string): Promise<Event[]> {
    const events: Event[] = [];
    for (;;) {
      const event = await watch.next();
      if (event === undefined) throw new Error(`the stream ended before ${last}`);
      events.push(event);
      if (`${event.type} ${text(event.object)}` === last) return events;
    }
  }

  it.each(watchCells)('watch: sendInitialEvents=%s, resourceVersion=%s -> %s', async (initial, version, mode) => {
    const { path, before, latest } = await scene();
    const acknowledged = mode === `${getStates} Most Recent` ? await written(path) : 0;
    const requested = mode === `${getStates} Not older than` ? latest : before;
    const parameters = query({
      watch: '1',
      resourceVersion: version === 'N' ? requested : version,
      sendInitialEvents: initial,
      resourceVersionMatch: initial === 'unset' ? 'unset' : 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    const watch = await api.watch(`${path}?${parameters}`);
    expect(watch.status).toBe(200);
    await api.patch(`${path}/d`, { data: { k: 'live' } });
    const events = await eventsUntil(watch, 'MODIFIED d=live');
    watch.close();

    const shown = events.map(({ type, object }) => (type === 'BOOKMARK' ? type : `${type} ${text(object)}`));
    if (mode === 'Start at Exact') {
      expect(shown).toEqual(['DELETED a', 'MODIFIED b=new', 'ADDED d', 'MODIFIED d=live']);
    } else if (mode.startsWith('Start at')) {
      expect(shown).toEqual(['MODIFIED d=live']);
    } else {
      const bookmark = events.find(({ type }) => type === 'BOOKMARK')!.object.metadata;
      expect(bookmark.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
      expect(known(events)).toEqual(texts((await api.get(path)).body.items));
      if (mode === `${getStates} Any`) return;
      const state = mode === `${getStates} Most Recent` ? ['aa', ...present] : present;
      expect(shown).toEqual([...state.map((item) => `ADDED ${item}`), 'BOOKMARK', 'MODIFIED d=live']);
      expect(Number(bookmark.resourceVersion)).toBeGreaterThanOrEqual(Math.max(acknowledged, Number(requested)));
    }
  });

  it.each([
    ['continue=token', `resourceVersionMatch: Forbidden: ${matchWithContinue}`],
    [
      'continue=token&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      `resourceVersionMatch: Forbidden: ${matchWithContinue}`,
    ],
    ['resourceVersionMatch=NotOlderThan', `resourceVersionMatch: Forbidden: ${matchWithoutEvents}`],
    ['resourceVersion=1&resourceVersionMatch=NotOlderThan', `resourceVersionMatch: Forbidden: ${matchWithoutEvents}`],
    [
      'resourceVersion=1&resourceVersionMatch=Exact',
      `[resourceVersionMatch: Forbidden: ${matchWithoutEvents}, ${exactUnsupported}]`,
    ],
    [
      'resourceVersion=1&resourceVersionMatch=Exact&sendInitialEvents=true',
      `[resourceVersionMatch: Forbidden: ${eventsWithoutMatch}, ${exactUnsupported}]`,
    ],
    ['sendInitialEvents=true', `resourceVersionMatch: Forbidden: ${eventsWithoutMatch}`],
    ['sendInitialEvents=false', `resourceVersionMatch: Forbidden: ${eventsWithoutMatch}`],
  ])('watch: %s -> Invalid, 400', async (parameters, message) => {
    const { path, token } = await scene();
    const { status, body } = await api.get(`${path}?watch=1&timeoutSeconds=1&${parameters.replace('token', token)}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', message: refusal(message) });
  });
});

/** Returns a query string without the parameters that are unset. */
function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== 'unset')).toString();
}
