import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  alreadyExists,
  type BackendEvent,
  conflict,
  defineResource,
  type ExtensionResource,
  notFound,
  type ResourceObject,
} from '../../src/extension-server/index.ts';
import { type ExtensionApi, startResources } from './extension-api.ts';

interface Note extends ResourceObject {
  spec?: { text?: string; size?: number; tags?: string[] };
  status?: { phase?: string };
}

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 10 },
        size: { type: 'integer', default: 1 },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};

/** A store outside of the server that compares versions. */
class Shelf {
  readonly type = { group: 'example.com', resource: 'notes' };
  readonly notes = new Map<string, Note>();
  readonly calls: string[] = [];
  /** How many of the next updates fail with a conflict. */
  races = 0;
  #version = 100;

  put(note: Note): Note {
    const stored = structuredClone(note);
    stored.metadata.resourceVersion = String(++this.#version);
    this.notes.set(keyOf(stored), stored);
    return stored;
  }

  read(key: string): Note | undefined {
    return this.notes.get(key);
  }

  resource(more: Partial<ExtensionResource<Note>> = {}): ExtensionResource<Note> {
    return defineResource<Note>({
      kind: 'Note',
      plural: 'notes',
      schema,
      subresources: { status: true },
      backend: {
        list: () => ({ items: [...this.notes.values()], resourceVersion: String(this.#version) }),
        get: ({ namespace, name }) => this.read(`${namespace}/${name}`),
        create: ({ namespace, name, object, user }) => {
          this.calls.push(`create ${namespace}/${name} by ${user?.name}`);
          if (this.notes.has(`${namespace}/${name}`)) throw alreadyExists(this.type, name);
          return this.put(object);
        },
        update: ({ namespace, name, object, oldObject }) => {
          const key = `${namespace}/${name}`;
          const present = this.read(key);
          if (present === undefined) throw notFound(this.type, name);
          expect(object.metadata.resourceVersion).toBe(oldObject.metadata.resourceVersion);
          if (this.races > 0) {
            this.races--;
            this.put({ ...present, spec: { ...present.spec, size: (present.spec?.size ?? 0) + 1 } });
          }
          if (this.read(key)!.metadata.resourceVersion !== object.metadata.resourceVersion) {
            this.calls.push(`conflict ${key}`);
            throw conflict(this.type, name, 'written by somebody else');
          }
          this.calls.push(`update ${key}`);
          return this.put(object);
        },
        delete: ({ namespace, name }) => {
          this.calls.push(`delete ${namespace}/${name}`);
          this.notes.delete(`${namespace}/${name}`);
        },
      },
      ...more,
    });
  }
}

const keyOf = ({ metadata }: Note): string => `${metadata.namespace}/${metadata.name}`;
const path = '/apis/example.com/v1/namespaces/default/notes';
const note = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Note',
  metadata: { name, ...metadata },
  spec,
});

describe('a backend that can be written', () => {
  const shelf = new Shelf();
  let extension: ExtensionApi;
  const api = () => extension.api;

  beforeAll(async () => {
    const pinned = defineResource<Note>({
      kind: 'Pinned',
      plural: 'pinned',
      backend: {
        list: () => [],
        update: ({ object }) => object,
      },
    });
    extension = await startResources([shelf.resource(), pinned]);
  });
  afterAll(() => extension.stop());
  beforeEach(() => {
    shelf.notes.clear();
    shelf.calls.length = 0;
    shelf.races = 0;
  });

  it('gets complete objects', async () => {
    const { status, body } = await api().post(path, note('a', { text: 'x' }));
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({ name: 'a', namespace: 'default', generation: 1, resourceVersion: '101' });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.spec).toEqual({ text: 'x', size: 1 });
    expect(shelf.calls).toEqual(['create default/a by kubernetes-admin']);
    expect(shelf.read('default/a')).toMatchObject({ spec: { size: 1 }, metadata: { uid: body.metadata.uid } });
  });

  it.each([
    ['an invalid object', note('a', { text: 'much too long' }), 422, 'Invalid'],
    ['an object without a name', note(''), 422, 'Invalid'],
    ['an object of another namespace', note('a', {}, { namespace: 'other' }), 400, 'BadRequest'],
    ['what is no object', [], 400, 'BadRequest'],
  ])('does not get %s', async (_what, body, code, reason) => {
    expect((await api().post(path, body)).body).toMatchObject({ kind: 'Status', code, reason });
    expect(shelf.calls).toEqual([]);
  });

  it('does not get objects of namespaces that do not exist', async () => {
    const { body } = await api().post(path.replace('default', 'nowhere'), note('a'));
    expect(body).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
    await extension.cluster.post('/api/v1/namespaces', { metadata: { name: 'nowhere' } });
    expect((await api().post(path.replace('default', 'nowhere'), note('a'))).status).toBe(201);
  });

  it('gets no second object of a name', async () => {
    await api().post(path, note('a'));
    const { body } = await api().post(path, note('a'));
    expect(body).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'notes.example.com "a" already exists' });
    expect((await api().post(path, note('', {}, { generateName: 'a-' }))).body.metadata.name).toMatch(/^a-.{5}$/);
  });

  it('is not called in a dry run', async () => {
    expect((await api().post(`${path}?dryRun=All`, note('a'))).status).toBe(201);
    shelf.put({ ...note('b', { size: 3 }, { namespace: 'default' }) });
    expect((await api().patch(`${path}/b?dryRun=All`, { spec: { size: 4 } })).body.spec.size).toBe(4);
    expect((await api().delete(`${path}/b?dryRun=All`)).status).toBe(200);
    expect(shelf.calls).toEqual([]);
    expect([...shelf.notes.keys()]).toEqual(['default/b']);
  });

  it('gets updates of the present version only', async () => {
    const { body: first } = await api().post(path, note('a', { text: 'x' }));
    const changed = { ...first, spec: { ...first.spec, text: 'y' } };
    const { body: second } = await api().put(`${path}/a`, changed);
    expect(second).toMatchObject({ spec: { text: 'y' }, metadata: { generation: 2 } });
    expect(second.metadata.resourceVersion).toBe(shelf.read('default/a')!.metadata.resourceVersion);
    expect((await api().put(`${path}/a`, changed)).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(shelf.calls.filter((call) => call.startsWith('update'))).toHaveLength(1);
  });

  it('is not called for a write that changes nothing', async () => {
    const { body } = await api().post(path, note('a', { text: 'x' }));
    expect((await api().put(`${path}/a`, body)).body).toEqual(body);
    expect((await api().patch(`${path}/a`, { spec: { text: 'x' } })).body).toEqual(body);
    expect(shelf.calls).toHaveLength(1);
  });

  it('is called again after a conflict', async () => {
    await api().post(path, note('a', { text: 'x' }));
    shelf.races = 2;
    const { body } = await api().patch(`${path}/a`, { spec: { text: 'y' } });
    expect(body.spec).toEqual({ text: 'y', size: 3 });
    expect(shelf.calls.slice(1)).toEqual(['conflict default/a', 'conflict default/a', 'update default/a']);
  });

  it('loses no concurrent changes', async () => {
    await api().post(path, note('a'));
    const tags = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const apply = (tag: string) =>
      api().call('PATCH', `${path}/a?fieldManager=${tag}`, {
        body: { apiVersion: 'example.com/v1', kind: 'Note', metadata: { name: 'a' }, spec: { tags: [tag] } },
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    expect((await Promise.all(tags.map(apply))).map(({ status }) => status)).toEqual(tags.map(() => 200));
    const { body } = await api().get(`${path}/a`);
    expect(body.spec.tags.sort()).toEqual(tags.sort());
    expect(body.metadata.managedFields).toHaveLength(13);
  });

  it('gets the status through its own path', async () => {
    await api().post(path, { ...note('a', { text: 'x' }), status: { phase: 'ignored' } });
    expect(shelf.read('default/a')!.status).toBeUndefined();
    const { body } = await api().patch(`${path}/a/status`, { status: { phase: 'Read' }, spec: { text: 'ignored' } });
    expect(body).toMatchObject({ status: { phase: 'Read' }, spec: { text: 'x' } });
  });

  it('loses an object when its finalizers are gone', async () => {
    await api().post(path, note('a', {}, { finalizers: ['example.com/hold'] }));
    expect((await api().delete(`${path}/a`)).body.metadata.deletionTimestamp).toBeDefined();
    expect(shelf.read('default/a')!.metadata.deletionTimestamp).toBeDefined();
    await api().patch(`${path}/a`, { metadata: { finalizers: null } });
    expect((await api().get(`${path}/a`)).status).toBe(404);
    expect(shelf.calls.at(-1)).toBe('delete default/a');
  });

  it('loses a whole collection', async () => {
    for (const name of ['a', 'b', 'c']) await api().post(path, note(name, {}, { labels: { name } }));
    expect((await api().delete(`${path}?labelSelector=name!%3Db`)).status).toBe(200);
    expect([...shelf.notes.keys()]).toEqual(['default/b']);
    expect((await api().delete(`${path}/a`)).body).toMatchObject({ code: 404 });
  });

  it('cannot do what it has no function for', async () => {
    const pinned = path.replace('notes', 'pinned');
    expect((await api().put(`${pinned}/a`, { ...note('a'), kind: 'Pinned' })).body).toMatchObject({ code: 404 });
    expect((await api().delete(`${pinned}/a`)).status).toBe(405);
    expect((await api().post(pinned, note('a'))).status).toBe(405);
  });
});

/** A queue of events for one reader at a time. */
class Events {
  readonly #waiting: BackendEvent<Note>[] = [];
  #wake: () => void = () => {};
  #cut: Error | undefined;
  readers = 0;

  add(...events: BackendEvent<Note>[]): void {
    this.#waiting.push(...events);
    this.#wake();
  }

  /** Makes the reader fail. */
  cut(): void {
    this.#cut = new Error('the line was cut');
    this.#wake();
  }

  async *read(): AsyncGenerator<BackendEvent<Note>> {
    this.readers++;
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#cut !== undefined) {
        const error = this.#cut;
        this.#cut = undefined;
        throw error;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

describe('a backend that can be watched', () => {
  const shelf = new Shelf();
  const events = new Events();
  let lists = 0;
  let extension: ExtensionApi;
  const api = () => extension.api;
  const add = (name: string, spec: object = {}, metadata: object = {}): void =>
    events.add({ type: 'MODIFIED', object: shelf.put(note(name, spec, { namespace: 'default', ...metadata })) });
  const remove = (name: string): void => {
    const object = shelf.read(`default/${name}`)!;
    shelf.notes.delete(`default/${name}`);
    events.add({ type: 'DELETED', object });
  };
  const present = (name: string) =>
    vi.waitUntil(async () => {
      const { status, body } = await api().get(`${path}/${name}`);
      return status === 200 && body;
    });

  beforeAll(async () => {
    const { backend, ...resource } = shelf.resource();
    shelf.put(note('first', {}, { namespace: 'default' }));
    extension = await startResources([
      {
        ...resource,
        backend: {
          ...backend,
          list: () => {
            lists++;
            return [...shelf.notes.values()];
          },
          watch: () => events.read(),
        },
      },
    ]);
  });
  afterAll(() => extension.stop());

  it('is listed once, whoever asks', async () => {
    await present('first');
    for (let count = 0; count < 3; count++) expect((await api().get(path)).body.items).toHaveLength(1);
    expect({ lists, readers: events.readers }).toEqual({ lists: 1, readers: 1 });
    expect((await api().get('/readyz')).text).toBe('ok');
    const { resources } = (await api().get('/apis/example.com/v1')).body;
    expect(resources[0].verbs).toContain('watch');
  });

  it('gives objects a uid of their own and versions that grow', async () => {
    add('uid');
    const before = await present('uid');
    expect(before.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    add('uid', { size: 2 });
    await vi.waitUntil(async () => (await api().get(`${path}/uid`)).body.spec.size === 2);
    const { metadata } = (await api().get(`${path}/uid`)).body;
    expect(metadata.uid).toBe(before.metadata.uid);
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    remove('uid');
  });

  it('shows changes to watchers, by what they select', async () => {
    const { resourceVersion } = (await api().get(path)).body.metadata;
    const [all, red] = await Promise.all([
      api().watch(`${path}?watch=1&resourceVersion=${resourceVersion}&fieldSelector=metadata.name!%3Dfirst`),
      api().watch(`${path}?watch=1&resourceVersion=${resourceVersion}&labelSelector=colour%3Dred`),
    ]);
    add('w', {}, { labels: { colour: 'red' } });
    add('w', { size: 2 }, { labels: { colour: 'red' } });
    add('w', { size: 2 }, { labels: { colour: 'blue' } });
    remove('w');
    expect(await red.take(3)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
    expect((await all.take(4)).slice(-1)).toEqual(['DELETED w']);
    // A later watch also receives all events since then.
    const later = await api().watch(`${path}?watch=1&resourceVersion=${resourceVersion}&labelSelector=colour%3Dred`);
    expect(await later.take(3)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
    for (const watch of [all, red, later]) watch.close();
  });

  it('does not give versions from before its start', async () => {
    const { body } = await api().get(`${path}?resourceVersion=1&resourceVersionMatch=Exact`);
    expect(body).toMatchObject({ code: 410, reason: 'Expired' });
  });

  it('shows writes at once, and once', async () => {
    const watch = await api().watch(`${path}?watch=1&fieldSelector=metadata.name%3Dwritten`);
    const { body } = await api().post(path, note('written', { text: 'x' }));
    expect((await api().get(`${path}/written`)).body).toEqual(body);
    // The backend also reports the write as an event.
    events.add({ type: 'ADDED', object: shelf.read('default/written')! });
    await api().put(`${path}/written`, { ...body, spec: { text: 'y' } });
    await api().delete(`${path}/written`);
    expect(await watch.take(3)).toEqual(['ADDED written', 'MODIFIED written', 'DELETED written']);
    watch.close();
  });

  it('is read again when a write finds that the copy is old', async () => {
    add('old', { text: 'x' });
    await present('old');
    shelf.put(note('old', { text: 'z', size: 7 }, { namespace: 'default' }));
    const { body } = await api().patch(`${path}/old`, { spec: { text: 'y' } });
    expect(body.spec).toEqual({ text: 'y', size: 7 });
    remove('old');
  });

  it('is listed again when its events end', async () => {
    add('gone');
    await present('gone');
    const watch = await api().watch(`${path}?watch=1&fieldSelector=metadata.name%3Dgone`);
    expect(await watch.take(1)).toEqual(['ADDED gone']);
    shelf.notes.delete('default/gone');
    events.cut();
    expect(await watch.take(1)).toEqual(['DELETED gone']);
    watch.close();
    expect(lists).toBe(2);
  });
});
