import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApi } from './api.ts';
import { definitionOf } from './custom-types.ts';
import { bindPolicy, jsonPatch } from './mutating-policies.ts';

/** An int64 that a JavaScript number cannot represent. */
const long = '9007199254740993';
/** Its neighbour, to which a number would be rounded. */
const rounded = 9007199254740992;
const configMap = '/api/v1/namespaces/default/configmaps/c';
const sizes = '/apis/example.com/v1/namespaces/default/sizes';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const int64 = { type: 'integer', format: 'int64' };
const keyed = { type: 'object', required: ['id'], properties: { id: int64, text: { type: 'string' } } };
const spec = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    size: { ...int64, default: 'LONG', enum: ['LONG', 1] },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: int64 },
    map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'], items: keyed },
    most: { ...int64, maximum: 5 },
    few: { ...int64, multipleOf: 2 },
    rule: { ...int64, 'x-kubernetes-validations': [{ rule: 'self < 5' }] },
    text: { type: 'string' },
  },
};
const columns = ['integer', 'number', 'string'].map((type) => ({ name: type, type, jsonPath: '.spec.size' }));
const version = {
  name: 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  additionalPrinterColumns: columns,
};

let api: TestApi;
const faults: string[] = [];
beforeAll(async () => {
  api = await TestApi.start({
    explainAdmission: true,
    log: {
      info: () => {},
      error: (message, fields) => void faults.push(`${message} ${inspect(fields)}`),
      flush: () => Promise.resolve(),
    },
  });
  await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } });
  const definition = definitionOf({ singular: 'size', versions: [version] });
  expect((await api.post(definitions, text(definition))).status).toBe(200);
  await vi.waitFor(async () => expect((await api.get(sizes)).status).toBe(200));
});
afterAll(async () => {
  await api.stop();
  expect(faults).toEqual([]);
});

/** JSON with the number in the place of `LONG`, because JSON.stringify cannot write it. */
function text(value: unknown): string {
  return JSON.stringify(value).replaceAll('"LONG"', long);
}

const size = (name: string, fields: object) =>
  text({ apiVersion: 'example.com/v1', kind: 'Size', metadata: { name }, spec: fields });

const patch = (path: string, type: string, body: unknown) =>
  api.call('PATCH', path, { body: text(body), headers: { 'content-type': `application/${type}-patch+json` } });

const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };

describe.each<[string, unknown]>([
  ['the list', 'LONG'],
  ['an entry', ['LONG']],
  ['a manager', [{ ...entry, manager: 'LONG' }]],
  ['a time', [{ ...entry, time: 'LONG', fieldsV1: {} }]],
  ['the fields', [{ ...entry, fieldsV1: 'LONG' }]],
  ['a field', [{ ...entry, fieldsV1: { 'f:data': 'LONG' } }]],
  ['a list in the fields', [{ ...entry, fieldsV1: { 'f:data': ['LONG'] } }]],
  ['the name of an element', [{ ...entry, fieldsV1: { 'f:data': { [`v:${long}`]: {} } } }]],
  ['the value of an element', [{ ...entry, fieldsV1: { 'f:data': { [`v:{"a":${long}}`]: {}, 'v:{"a":1}': {} } } }]],
])('as %s of the managed fields', (_place, managedFields) => {
  it.each(['merge', 'strategic-merge', 'json'])('is no fault of the server: a %s patch', async (type) => {
    const operations = [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }];
    const { status } = await patch(configMap, type, type === 'json' ? operations : { metadata: { managedFields } });
    expect([200, 422]).toContain(status);
  });

  it('is no fault of the server: an update', async () => {
    const { status } = await api.put(configMap, text({ metadata: { name: 'c', managedFields } }));
    expect([200, 400]).toContain(status);
  });
});

describe('in a custom object', () => {
  it('is exact in every representation', async () => {
    expect((await api.post(sizes, size('kept', { any: ['LONG'], set: ['LONG'] }))).status).toBe(200);
    for (const type of ['merge', 'json']) {
      const operations = [
        { op: 'test', path: '/spec/any', value: ['LONG'] },
        { op: 'add', path: '/spec/json', value: 'LONG' },
      ];
      const body = type === 'json' ? operations : { spec: { merge: 'LONG' } };
      expect((await patch(`${sizes}/kept`, type, body)).status).toBe(200);
    }
    for (const path of [sizes, `${sizes}/kept`]) {
      for (const accept of ['application/json', 'application/yaml']) {
        const read = (await api.get(path, { headers: { accept } })).text;
        // The field, its default, both patches and the element of the set; the set also names the element as its owner.
        expect(read.split(long).length - 1).toBeGreaterThanOrEqual(5);
        expect(read).not.toContain(String(rounded));
      }
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const table = (await api.get(path, { headers: { accept } })).text;
      expect(table).toContain(`"cells":["kept",${long},${rounded},"${long}"]`);
    }
  });

  it('is the owned element of a set and the key of a list', async () => {
    const elements = {
      set: ['LONG', rounded],
      map: [
        { id: 'LONG', text: 'a' },
        { id: rounded, text: 'b' },
      ],
    };
    const apply = (manager: string, fields: object) =>
      api.call('PATCH', `${sizes}/owned?fieldManager=${manager}`, {
        body: size('owned', fields),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    expect((await apply('one', elements)).status).toBe(201);
    const { status, body } = await apply('two', { map: [{ id: 'LONG', text: 'z' }] });
    expect(status).toBe(409);
    expect(body.details.causes).toMatchObject([{ field: `.spec.map[id=${long}].text` }]);
    const rest = await apply('one', { set: ['LONG'], map: [{ id: 'LONG', text: 'a' }] });
    expect(rest.text).toContain(`"set":[${long}]`);
    expect(rest.text).toContain(`"map":[{"id":${long},"text":"a"}]`);
  });

  it.each([
    ['most', 'should be less than or equal to 5'],
    ['few', 'should be a multiple of 2'],
    ['rule', 'failed rule'],
    ['text', 'must be of type string'],
    ['replicas', 'should be less than or equal to 2147483647'],
  ])('is named in errors: %s', async (field, message) => {
    const { status, body } = await api.post(sizes, size('refused', { [field]: 'LONG' }));
    expect(status).toBe(422);
    expect(body.message).toContain(message);
    if (field !== 'text') expect(body.message).toContain(long);
  });

  it('is exact in the published schemas', async () => {
    const path = '/openapi/v3/apis/example.com/v1';
    await vi.waitFor(async () => expect((await api.get(path)).text).toContain(`"default":${long}`));
    for (const version of ['v2', 'v3']) {
      const accept = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
      const { status } = await api.get(version === 'v2' ? '/openapi/v2' : path, { headers: { accept } });
      expect(status).toBe(200);
    }
  });
});

it('is exact in what a policy writes, its explanation, and the fields that a schema does not declare', async () => {
  const rule = { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['*'] };
  const value = `{"added": ${long}}`;
  const operations = `[JSONPatch{op: "add", path: "/spec/in", value: ${value}},
    JSONPatch{op: "add", path: "/undeclared", value: ${long}}]`;
  await bindPolicy(api, 'adding', { rules: [rule], mutations: [jsonPatch(operations)] });
  const path = '/apis/example.com/v1/namespaces/adding/sizes';
  await vi.waitFor(async () => {
    const created = await api.post(`${path}?dryRun=All`, size('a', { text: 'a' }));
    expect(created.status, created.text).toBe(200);
    // As in kube-apiserver, the undeclared field is pruned.
    expect(created.text).toContain(`"in":{"added":${long}}`);
    expect(created.body.undeclared).toBeUndefined();
    expect(created.headers['keelson-admission']).toContain(`"value":{"added":${long}}`);
  });
});

it('does not disturb the controller of definitions', async () => {
  const path = `${definitions}/sizes.example.com`;
  const conditions = [{ type: 'Own', status: 'True', reason: 'r', message: 'm', observedGeneration: 'LONG' }];
  expect((await patch(`${path}/status`, 'merge', { status: { conditions } })).status).toBe(200);
  await vi.waitFor(async () => {
    const { status } = (await api.get(path)).body;
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
  });
});

describe('as the time that a pod has to stop', () => {
  const pods = '/api/v1/namespaces/default/pods';
  const containers = [{ name: 'c', image: 'i' }];
  const pod = (name: string, more: object = {}) =>
    text({ metadata: { name }, spec: { nodeName: 'n', containers, ...more } });

  it.each<[string, object, (path: string) => ReturnType<TestApi['get']>]>([
    ['its own', { terminationGracePeriodSeconds: 'LONG' }, (path) => api.delete(path)],
    ['that of the options', {}, (path) => api.delete(path, { body: text({ gracePeriodSeconds: 'LONG' }) })],
    [
      'that of an eviction',
      {},
      (path) =>
        api.post(
          `${path}/eviction`,
          text({ metadata: { name: 'slow' }, deleteOptions: { gracePeriodSeconds: 'LONG' } }),
        ),
    ],
  ])('is a very long time: %s', async (_what, more, remove) => {
    const path = `${pods}/slow`;
    expect((await api.post(pods, pod('slow', more))).status).toBe(200);
    const { status, text: reply } = await remove(path);
    expect(status, reply).toBe(200);
    expect((await api.get(path)).body.metadata.deletionTimestamp).toBe('9999-12-31T23:59:59Z');
    // A shorter period is obeyed.
    expect((await api.delete(path, { body: { gracePeriodSeconds: 0 } })).status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
  });

  it('is refused with the name of its type where another type is expected', async () => {
    const { status, body } = await api.delete(configMap, { body: text({ propagationPolicy: 'LONG' }) });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^json: cannot unmarshal number into Go struct field DeleteOptions/);
  });
});
