import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { apply, bindPolicy, jsonPatch, ruleFor } from './mutating-policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const failing: readonly [name: string, mutation: object, problem: string][] = [
  [
    'missing-key',
    apply('Object{data: {"a": object.data.none}}'),
    `expression 'Object{data: {"a": object.data.none}}' resulted in error: no such key: none`,
  ],
  [
    'wrong-type-name',
    apply('Object{metadata: Object.meta{labels: {"a": "b"}}}'),
    'type mismatch: unexpected type name "Object.meta", expected "Object.metadata", which matches field name path from root Object type',
  ],
  [
    'unknown-field',
    apply('Object{date: {"a": "b"}}'),
    'error applying patch: failed to convert patch object to typed object: .date: field not declared in schema',
  ],
  [
    'wrong-value',
    apply('Object{data: {"a": 1}}'),
    'error applying patch: failed to convert patch object to typed object: .data.a: expected string, got &value.valueUnstructured{Value:1}',
  ],
  [
    'atomic',
    apply(
      `Object{metadata: Object.metadata{managedFields: [], ownerReferences: [
        Object.metadata.ownerReferences{uid: "u", controller: true}]}}`,
    ),
    'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .metadata.managedFields',
  ],
  [
    'no-such-path',
    jsonPatch('[JSONPatch{op: "remove", path: "/data/none"}]'),
    "JSON Patch: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
  ],
  ['bad-operation', jsonPatch('[JSONPatch{op: "turn", path: "/data"}]'), 'JSON Patch: Unexpected kind: turn'],
  [
    'patch-type-name',
    jsonPatch('[JSONPatch{op: "add", path: "/metadata", value: Object.metadata{labels: Object.labels{}}}]'),
    'type mismatch: unexpected type name "Object.labels", expected "Object.metadata.labels", which matches field name path from root Object type',
  ],
  [
    'too-expensive',
    apply(
      `Object{data: {"n": string([0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b,
        [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e,
        a + b + c + d + e >= 0))))))}}`,
    ),
    'operation cancelled: actual cost limit exceeded',
  ],
];

describe('a mutation that fails', () => {
  it.each(failing)('rejects the request: %s', async (name, mutation, problem) => {
    await bindPolicy(api, name, { rules: [ruleFor(['configmaps'])], mutations: [mutation] });
    const path = `/api/v1/namespaces/${name}/configmaps`;
    const { status, body } = await api.post(path, { metadata: { name: 'x' }, data: { k: 'v' } });
    expect(status).toBe(403);
    const prefix = `policy '${name}' with binding '${name}' denied request: `;
    expect(body.message.startsWith(prefix), body.message).toBe(true);
    expect(body.message).toContain(problem);
    expect(body).toMatchObject({
      reason: 'Invalid',
      details: { name: 'x', kind: 'configmaps', causes: [{ message: body.message }] },
    });
    expect((await api.get(`${path}/x`)).status).toBe(404);
  });

  it.each(failing)('is ignored if the policy says so, and the others are made: %s', async (name, mutation) => {
    const ignoring = `${name}-ignored`;
    await bindPolicy(api, ignoring, {
      rules: [ruleFor(['configmaps'])],
      mutations: [apply('Object{data: {"first": "1"}}'), mutation, apply('Object{data: {"last": "2"}}')],
      policy: { failurePolicy: 'Ignore' },
    });
    const path = `/api/v1/namespaces/${ignoring}/configmaps`;
    const { body } = await api.post(path, { metadata: { name: 'x' }, data: { k: 'v' } });
    expect(body.data).toEqual({ k: 'v', first: '1', last: '2' });
  });

  it('names all problems', async () => {
    await bindPolicy(api, 'several', {
      rules: [ruleFor(['configmaps'])],
      mutations: [apply('Object{a: 1}'), apply('Object{b: 1}')],
    });
    const { body } = await api.post('/api/v1/namespaces/several/configmaps', { metadata: { name: 'x' } });
    expect(body.details.causes).toHaveLength(2);
    expect(body.message).toBe(body.details.causes[0].message);
    expect(body.details.causes[1].message).toContain('.b: field not declared in schema');
  });

  it.each<[policy: string, status: number]>([
    ['Fail', 500],
    ['Ignore', 500],
  ])('is an error of the server when the result is not an object of the kind: %s', async (failurePolicy, status) => {
    const name = `decode-${failurePolicy.toLowerCase()}`;
    await bindPolicy(api, name, {
      rules: [ruleFor(['configmaps'])],
      mutations: [jsonPatch('[JSONPatch{op: "add", path: "/date", value: "x"}]')],
      policy: { failurePolicy },
    });
    const response = await api.post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'x' } });
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({
      reason: 'InternalError',
      message: 'Internal error occurred: strict decoding error: unknown field "date"',
    });
  });
});

describe('a policy that cannot be used', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const paramRef = { name: 'none', namespace: 'default', parameterNotFoundAction: 'Deny' };
  const cases: readonly [name: string, fields: { policy?: object; binding?: object }, problem: string][] = [
    [
      'no-params',
      { policy: { paramKind }, binding: { paramRef } },
      "with binding 'no-params' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    ],
    [
      'no-kind',
      { policy: { paramKind: { apiVersion: 'example.com/v1', kind: 'None' } }, binding: { paramRef } },
      "denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=None'",
    ],
    [
      'bad-condition',
      { policy: { matchConditions: [{ name: 'c', expression: 'object.none.here == 1' }] } },
      "with binding 'bad-condition' denied request: expression 'object.none.here == 1' resulted in error: no such key: none",
    ],
  ];
  const bound = (fields: { policy?: object; binding?: object }, name: string) => ({
    rules: [ruleFor(['secrets'])],
    mutations: [apply('Object{metadata: Object.metadata{labels: {"a": "b"}}}')],
    ...fields,
    binding: {
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
      ...fields.binding,
    },
  });

  it.each(cases)('rejects the request: %s', async (name, fields, problem) => {
    await bindPolicy(api, name, bound(fields, name));
    const { status, body } = await api.post(`/api/v1/namespaces/${name}/secrets`, { metadata: { name: 'x' } });
    expect(status).toBe(403);
    expect(body.message).toContain(`policy '${name}'`);
    expect(body.message).toContain(problem);
    // A kind that does not exist causes failures in all namespaces.
    await api.delete(`/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/${name}`);
  });

  it.each(cases)('is ignored if it says so: %s', async (name, fields) => {
    const ignoring = `${name}-ignored`;
    const policy = { ...fields.policy, failurePolicy: 'Ignore' };
    await bindPolicy(api, ignoring, bound({ ...fields, policy }, ignoring));
    const { body } = await api.post(`/api/v1/namespaces/${ignoring}/secrets`, { metadata: { name: 'x' } });
    expect(body.metadata.name).toBe('x');
    expect(body.metadata.labels).toBeUndefined();
  });
});
