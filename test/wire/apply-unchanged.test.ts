import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ApiResponse, TestApi, type TestWatch } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;
const configMap = (name: string, data?: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data && { data }),
});
const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'example.com/c:1',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '0.5', memory: '1024Mi' } },
          },
        ],
      },
    },
  },
});

const apply = (
  manager: string,
  body: { kind: string; metadata: { name: string } },
  query = '',
): Promise<ApiResponse> => {
  const collection = body.kind === 'Deployment' ? deployments : configMaps;
  return applyAs(api, manager, { path: `${collection}/${body.metadata.name}`, body, query });
};

/** Watches the changes from now on. */
async function follow(path: string): Promise<TestWatch> {
  const { resourceVersion } = (await api.get(path)).body.metadata;
  const watch = await api.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
  onTestFinished(() => watch.close());
  return watch;
}

/** Moves all times of an object into the past, so that a new time would be noticed. */
async function age({ metadata, ...object }: { metadata: { name: string; managedFields: object[] } }, path: string) {
  const managedFields = metadata.managedFields.map((entry) => ({ ...entry, time: '2020-01-01T00:00:00Z' }));
  const { name } = metadata;
  // The entries are cleared first, because the server would ignore entries that differ only in their times.
  await api.put(path, { ...object, metadata: { name, managedFields: [] } });
  const { status, body } = await api.put(path, { ...object, metadata: { name, managedFields } });
  expect([status, body.metadata.managedFields]).toEqual([200, managedFields]);
  return body;
}

describe('a write that changes nothing', () => {
  const name = 'same';
  const path = `${configMaps}/${name}`;
  const sent = () => configMap(name, { a: '1' });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['apply', () => apply('m', sent())],
    ['apply with force', () => apply('m', sent(), '&force=true')],
    [
      'apply with the version',
      async () =>
        apply(
          'm',
          configMap(name, { a: '1' }, { resourceVersion: (await api.get(path)).body.metadata.resourceVersion }),
        ),
    ],
    [
      'apply as YAML',
      () =>
        applyAs(api, 'm', { path, body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: "1"}` }),
    ],
    ['apply of nothing by somebody new', () => apply('n', configMap(name))],
    ['PUT', () => api.put(`${path}?fieldManager=n`, sent())],
    ['PUT of what was read', async () => api.put(`${path}?fieldManager=n`, (await api.get(path)).body)],
    ['a merge patch', () => api.patch(`${path}?fieldManager=n`, { data: { a: '1' } })],
    ['a strategic merge patch', () => api.patch(`${path}?fieldManager=n`, { data: { a: '1' } }, 'strategic')],
    ['a JSON patch', () => api.patch(`${path}?fieldManager=n`, [{ op: 'add', path: '/data/a', value: '1' }], 'json')],
  ])('keeps version and times, and sends no event: %s', async (_how, write) => {
    await api.delete(path);
    const { body: made } = await apply('m', sent());
    const before = await age(made, path);
    const watch = await follow(configMaps);
    const response = await write();
    expect([response.status, response.body]).toEqual([200, before]);
    const next = `next-${++count}`;
    await apply('m', configMap(next));
    expect(await watch.take(1)).toEqual([`ADDED ${next}`]);
  });

  it('may be of a type with defaults and other spellings', async () => {
    const body = deployment('spelled');
    const { body: made } = await apply('m', body);
    const before = await age(made, `${deployments}/spelled`);
    const watch = await follow(deployments);
    const again = await apply('m', body);
    expect([again.status, again.body]).toEqual([200, before]);
    await apply('m', deployment('spelled-next'));
    expect(await watch.take(1)).toEqual(['ADDED spelled-next']);
  });

  it('updates only the time of the manager that changed something', async () => {
    const { body: made } = await apply('m', configMap('timed', { a: '1' }));
    await age(made, `${configMaps}/timed`);
    const shared = await apply('n', configMap('timed', { a: '1' }));
    expect(ownersOf(shared.body)).toEqual(['m: .data.a', 'n: .data.a']);
    const { body } = await apply('n', configMap('timed', { a: '1', b: '1' }));
    const times = Object.fromEntries(
      body.metadata.managedFields.map(({ manager, time }: { manager: string; time?: string }) => [manager, time]),
    );
    expect(times).toEqual({ m: '2020-01-01T00:00:00Z', n: expect.stringMatching(/^20(?!20)/) });
  });

  it('is a change if its owners differ', async () => {
    const { body: made } = await apply('m', configMap('owners', { a: '1' }));
    const watch = await follow(configMaps);
    const { body } = await apply('n', configMap('owners', { a: '1' }));
    expect(body.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: body });
  });
});

describe('a dry run', () => {
  it('creates nothing', async () => {
    const watch = await follow(configMaps);
    const { status, body } = await apply('m', configMap('dry', { a: '1' }), '&dryRun=All');
    expect(status).toBe(201);
    expect(ownersOf(body)).toEqual(['m: .data.a']);
    expect((await api.get(`${configMaps}/dry`)).status).toBe(404);
    await apply('m', configMap('dry-next'));
    expect(await watch.take(1)).toEqual(['ADDED dry-next']);
  });

  it('shows conflicts and the result of force, and writes nothing', async () => {
    const { body: before } = await apply('m', configMap('tried', { a: '1' }));
    const watch = await follow(configMaps);
    const refused = await apply('n', configMap('tried', { a: '2' }), '&dryRun=All');
    expect(refused.body).toMatchObject({ code: 409, details: { causes: [{ field: '.data.a' }] } });
    const forced = await apply('n', configMap('tried', { a: '2' }), '&dryRun=All&force=true');
    expect([forced.status, forced.body.data, ownersOf(forced.body)]).toEqual([200, { a: '2' }, ['n: .data.a']]);
    const invalid = await apply('n', configMap('tried', { 'a b': '2' }), '&dryRun=All');
    expect(invalid.status).toBe(422);
    expect((await api.get(`${configMaps}/tried`)).body).toEqual(before);
    await apply('m', configMap('tried-next'));
    expect(await watch.take(1)).toEqual(['ADDED tried-next']);
  });

  it('shows the owners for other writes', async () => {
    await apply('m', configMap('told', { a: '1' }));
    const path = `${configMaps}/told?fieldManager=u&dryRun=All`;
    const owners = ['u*: .data.a'];
    expect(ownersOf((await api.patch(path, { data: { a: '2' } })).body)).toEqual(owners);
    expect(ownersOf((await api.put(path, configMap('told', { a: '2' }))).body)).toEqual(owners);
    expect(ownersOf((await api.get(`${configMaps}/told`)).body)).toEqual(['m: .data.a']);
  });
});

describe('an object that waits for its deletion', () => {
  it('can be applied to, but gets no finalizers', async () => {
    const held = (...finalizers: string[]) => ({ finalizers });
    await apply('m', configMap('held', { a: '1' }, held('ex.io/f')));
    await api.delete(`${configMaps}/held`);
    const { body } = await apply('m', configMap('held', { a: '2' }, held('ex.io/f')));
    expect(body).toMatchObject({ data: { a: '2' }, metadata: { deletionTimestamp: expect.any(String) } });
    const { body: refused } = await apply('m', configMap('held', { a: '2' }, held('ex.io/f', 'ex.io/g')));
    const cause = expect.objectContaining({ reason: 'FieldValueForbidden', field: 'metadata.finalizers' });
    expect(refused).toMatchObject({ code: 422, details: { causes: [cause, cause] } });
  });

  it('is deleted once when its last finalizer is no longer applied', async () => {
    await apply('m', configMap('let-go', { a: '1' }, { finalizers: ['ex.io/f'] }));
    await apply('n', configMap('let-go', undefined, { finalizers: ['ex.io/f'] }));
    const watch = await follow(configMaps);
    await api.delete(`${configMaps}/let-go`);
    // The other manager still applies the finalizer.
    expect((await apply('m', configMap('let-go', { a: '1' }))).body.metadata.finalizers).toEqual(['ex.io/f']);
    const tried = await apply('n', configMap('let-go'), '&dryRun=All');
    expect(tried.status).toBe(200);
    const last = await apply('n', configMap('let-go'));
    expect(last.status).toBe(200);
    expect(last.body.metadata).not.toHaveProperty('finalizers');
    expect((await api.get(`${configMaps}/let-go`)).status).toBe(404);
    await apply('m', configMap('let-go-next'));
    const events = ['MODIFIED let-go', 'MODIFIED let-go', 'DELETED let-go', 'ADDED let-go-next'];
    expect(await watch.take(4)).toEqual(events);
  });

  it('is a new one when it is applied after it has gone', async () => {
    const { body: first } = await apply('m', configMap('anew', { a: '1' }));
    await api.delete(`${configMaps}/anew`);
    const second = await apply('n', configMap('anew', { a: '2' }));
    expect(second.status).toBe(201);
    expect(second.body.metadata.uid).not.toBe(first.metadata.uid);
    expect(ownersOf(second.body)).toEqual(['n: .data.a']);
  });
});
