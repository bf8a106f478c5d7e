import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;
const typed = { apiVersion: 'v1', kind: 'ConfigMap' };
const apply = (manager: string, name: string, data: object | undefined, query = '') =>
  applyAs(api, manager, { path: `${configMaps}/${name}`, body: { ...typed, metadata: { name }, data }, query });

/** Creates a config map with a POST of `maker`. */
async function made(data: object = { a: '1' }) {
  const name = `updated-${++count}`;
  const { body } = await api.post(`${configMaps}?fieldManager=maker`, { metadata: { name }, data });
  return { name, path: `${configMaps}/${name}`, body };
}

const contentTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

describe('a client that writes without apply', () => {
  it('owns what it creates, with the maps around it', async () => {
    const { body } = await made();
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'maker',
        operation: 'Update',
        apiVersion: 'v1',
        time: expect.stringMatching(/Z$/),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ]);
  });

  it('owns what it creates with a PUT', async () => {
    const { status, body } = await api.put(`${configMaps}/put?fieldManager=u`, {
      metadata: { name: 'put' },
      data: { a: '1' },
    });
    expect([status, ownersOf(body)]).toEqual([201, ['u*: .data .data.a']]);
  });

  it('owns defaults of what it creates', async () => {
    const pod = { metadata: { name: 'defaulted' }, spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } };
    const { body } = await api.post('/api/v1/namespaces/default/pods?fieldManager=maker', pod);
    const fields = [
      '',
      '.image',
      '.imagePullPolicy',
      '.name',
      '.resources',
      '.terminationMessagePath',
      '.terminationMessagePolicy',
    ];
    const inContainer = fields.map((field) => `.spec.containers[{"name":"c"}]${field}`);
    const inSpec = [
      'dnsPolicy',
      'enableServiceLinks',
      'restartPolicy',
      'schedulerName',
      'securityContext',
      'terminationGracePeriodSeconds',
    ];
    expect(ownersOf(body)).toEqual([`maker*: ${[...inContainer, ...inSpec.map((name) => `.spec.${name}`)].join(' ')}`]);
  });

  type Write = (path: string, name: string, headers: Record<string, string>) => Promise<ApiResponse>;
  const put: Write = (path, name, headers) =>
    api.put(path, { metadata: { name }, data: { a: '2', b: '1' } }, { headers });
  const patch =
    (type: keyof typeof contentTypes, body: unknown): Write =>
    (path, _name, headers) =>
      api.call('PATCH', path, { body, headers: { ...headers, 'content-type': contentTypes[type] } });
  const writes: [string, Write][] = [
    ['PUT', put],
    ['a merge patch', patch('merge', { data: { a: '2', b: '1' } })],
    ['a strategic merge patch', patch('strategic', { data: { a: '2', b: '1' } })],
    [
      'a JSON patch',
      patch('json', [
        { op: 'replace', path: '/data/a', value: '2' },
        { op: 'add', path: '/data/b', value: '1' },
      ]),
    ],
  ];

  it.each(writes)('takes what it changes and adds: %s', async (_how, write) => {
    const { name, path } = await made();
    await apply('a', name, { a: '1', c: '1' });
    // The field is removed first, because a PUT would remove it.
    await apply('a', name, { a: '1' });
    const { status, body } = await write(`${path}?fieldManager=u`, name, {});
    expect([status, body.data]).toEqual([200, { a: '2', b: '1' }]);
    expect(ownersOf(body)).toEqual(['maker*: .data', 'u*: .data.a .data.b']);
    expect((await apply('a', name, { a: '3' })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "u" using v1: .data.a',
    );
  });

  it.each(writes)('is named after its program when it states no manager: %s', async (_how, write) => {
    for (const [agent, manager] of [
      ['curl/8.0', 'curl'],
      ['kubectl/v1.36 (linux/amd64) kubernetes/abc', 'kubectl'],
      ['My Agent v2', 'My Agent v2'],
      ['', 'unknown'],
      [`${'z'.repeat(200)}/1`, 'z'.repeat(128)],
    ] as const) {
      const { name, path } = await made();
      const { body } = await write(path, name, { 'user-agent': agent });
      expect(ownersOf(body), agent).toEqual(['maker*: .data', `${manager}*: .data.a .data.b`].toSorted());
      const again = await write(`${path}?fieldManager=`, name, { 'user-agent': agent });
      expect(again.body).toEqual(body);
    }
  });

  it('owns nothing of what it leaves as it is', async () => {
    const { name, path } = await made();
    await apply('a', name, { a: '1' });
    await api.patch(`${path}?fieldManager=u`, { data: { a: '1', b: '1' } });
    const { body } = await api.put(`${path}?fieldManager=v`, { metadata: { name }, data: { a: '1', b: '1' } });
    expect(ownersOf(body)).toEqual(['a: .data.a', 'maker*: .data .data.a', 'u*: .data.b']);
  });

  it('removes all owners of the fields that it removes', async () => {
    const { name, path } = await made({ a: '1', b: '1' });
    await apply('a', name, { a: '1', b: '1' });
    const { body } = await api.put(`${path}?fieldManager=u`, { metadata: { name }, data: { a: '1' } });
    expect(ownersOf(body)).toEqual(['a: .data.a', 'maker*: .data .data.a']);
    expect(ownersOf((await api.patch(`${path}?fieldManager=u`, { data: null })).body)).toEqual([]);
  });

  it('is a different manager than an applier with the same name', async () => {
    const { name, path } = await made({});
    await apply('m', name, { a: '1' });
    const { body } = await api.patch(`${path}?fieldManager=m`, { data: { a: '2' } });
    expect(ownersOf(body)).toContain('m*: .data.a');
    expect((await apply('m', name, { a: '1' })).body.message).toContain('conflict with "m" using v1: .data.a');
    expect(ownersOf((await apply('m', name, { a: '1' }, '&force=true')).body)).toContain('m: .data.a');
  });

  it('is listed after the appliers', async () => {
    const { name } = await made();
    await apply('z', name, { z: '1' });
    const { body } = await apply('y', name, { y: '1' });
    const order = body.metadata.managedFields.map(({ operation }: { operation: string }) => operation);
    expect(order).toEqual(['Apply', 'Apply', 'Update']);
  });
});

describe('managed fields that a client sends', () => {
  const entry = {
    manager: 'me',
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  };

  it('do not count in a creation', async () => {
    const body = { metadata: { name: 'sent', managedFields: [entry] }, data: { a: '1' } };
    const response = await api.post(`${configMaps}?fieldManager=maker`, body);
    expect(ownersOf(response.body)).toEqual(['maker*: .data .data.a']);
  });

  it.each<[string, string, (name: string) => unknown]>([
    ['PUT', '[]', (name) => ({ metadata: { name, managedFields: [] }, data: { a: '1' } })],
    ['PUT', '[{}]', (name) => ({ metadata: { name, managedFields: [{}] }, data: { a: '1' } })],
    ['merge', '[]', () => ({ metadata: { managedFields: [] } })],
    ['merge', '[{}]', () => ({ metadata: { managedFields: [{}] } })],
    ['json', '[]', () => [{ op: 'replace', path: '/metadata/managedFields', value: [] }]],
    ['json', '[{}]', () => [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]],
    ['strategic', '[]', () => ({ metadata: { managedFields: [] } })],
    ['strategic', '[{}]', () => ({ metadata: { managedFields: [{}] } })],
  ])('are taken off, until somebody applies: %s %s', async (how, _value, body) => {
    const { name, path } = await made();
    const reset = how === 'PUT' ? await api.put(path, body(name)) : await api.patch(path, body(name), how);
    expect(reset.status).toBe(200);
    expect(reset.body.metadata).not.toHaveProperty('managedFields');
    const changed = await api.patch(`${path}?fieldManager=u`, { data: { b: '2' } });
    expect(changed.body.metadata).not.toHaveProperty('managedFields');
    expect((await apply('m', name, { a: '2' })).body).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    });
    const before = 'before-first-apply*: .data .data.a .data.b';
    expect(ownersOf((await apply('m', name, { a: '1' })).body)).toEqual([before, 'm: .data.a']);
    expect(ownersOf((await apply('m', name, {})).body)).toEqual([before, 'm: .data']);
    expect(ownersOf((await api.patch(`${path}?fieldManager=u`, { data: { b: '3' } })).body)).toContain('u*: .data.b');
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['of no operation', [{ ...entry, operation: 'Foo' }]],
    ['of another form', [{ ...entry, fieldsType: 'FieldsV9' }]],
    ['with unknown elements', [{ ...entry, fieldsV1: { zzz: {} } }]],
  ])('are not taken when they are %s', async (_what, managedFields) => {
    const { name, path, body } = await made();
    const response = await api.put(path, { metadata: { name, managedFields }, data: { a: '1' } });
    expect(response.body).toEqual(body);
  });

  it('are taken when they are good', async () => {
    const { name, path } = await made();
    const { body } = await api.put(path, { metadata: { name, managedFields: [entry] }, data: { a: '1' } });
    expect(body.metadata.managedFields).toEqual([entry]);
    const given = await apply('me', name, undefined);
    expect([given.body.data, given.body.metadata.managedFields]).toEqual([undefined, undefined]);
  });
});

describe('more than ten updaters', () => {
  it('have one entry for the oldest of them', async () => {
    const { name, path } = await made({ k0: '1' });
    await apply('applier', name, { z: '1' });
    const managers = Array.from({ length: 14 }, (_, index) => `u${String(index).padStart(2, '0')}`);
    let last: ApiResponse | undefined;
    for (const manager of managers)
      last = await api.patch(`${path}?fieldManager=${manager}`, { data: { [manager]: '1' } });
    const owners = ownersOf(last!.body);
    expect(owners).toHaveLength(11);
    expect(owners).toContain('applier: .data.z');
    // Entries of the same second are sorted by name.
    expect(owners.find((owner) => owner.startsWith('ancient-changes*: '))).toContain('.data .data.k0');
    const owned = owners.flatMap((owner) => owner.split(': ')[1]!.split(' ')).toSorted();
    expect(owned).toEqual(
      ['.data', '.data.k0', '.data.z', ...managers.map((manager) => `.data.${manager}`)].toSorted(),
    );
    expect((await apply('other', name, { k0: '2' })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "ancient-changes" using v1: .data.k0',
    );
  });

  it('are only updaters', async () => {
    const { name } = await made({});
    const managers = Array.from({ length: 14 }, (_, index) => `a${String(index).padStart(2, '0')}`);
    for (const manager of managers) await apply(manager, name, { [manager]: '1' });
    const { body } = await api.get(`${configMaps}/${name}`);
    expect(ownersOf(body)).toEqual(expect.arrayContaining(managers.map((manager) => `${manager}: .data.${manager}`)));
  });
});
