import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { apply, jsonPatch, ruleFor } from './mutating-policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const create = (mutation: object, spec: object = {}) =>
  api.post('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies?dryRun=All', {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [ruleFor(['configmaps'])] },
      mutations: [mutation],
      reinvocationPolicy: 'Never',
      ...spec,
    },
  });
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };

describe('the expressions of a mutating policy', () => {
  it.each<[name: string, mutation: object, spec?: object]>([
    ['objects of any fields', apply('Object{anything: Object.anything{here: [1, 2]}}')],
    ['optional fields', apply('Object{?spec: optional.none()}')],
    ['a choice of objects', apply('object.spec.x == 1 ? Object{} : Object{spec: Object.spec{}}')],
    ['parameters', apply('Object{data: params.data}'), { paramKind }],
    ['variables', apply('Object{data: variables.d}'), { variables: [{ name: 'd', expression: 'object.data' }] }],
    ['the authorizer', apply('authorizer.path("/x").check("get").allowed() ? Object{} : Object{a: 1}')],
    ['patches', jsonPatch('[JSONPatch{op: "add", path: "/a", value: {"b": dyn([1])}}]')],
    ['patches of objects', jsonPatch('[JSONPatch{op: "add", path: "/spec", value: Object.spec{a: 1}}]')],
    ['patches by a macro', jsonPatch('["a", "b"].map(k, JSONPatch{op: "remove", path: "/" + jsonpatch.escapeKey(k)})')],
    ['white space around', apply('  Object{}\n')],
  ])('may have %s', async (_name, mutation, spec) => {
    expect((await create(mutation, spec)).body).toMatchObject({ kind: 'MutatingAdmissionPolicy' });
  });

  const configuration = 'spec.mutations[0].applyConfiguration.expression';
  const patch = 'spec.mutations[0].jsonPatch.expression';
  it.each<[mutation: object, field: string, problem: string, spec?: object]>([
    [apply('{"a": "b"}'), configuration, 'must evaluate to Object but got map(string, string)'],
    [apply('Object.spec{}'), configuration, 'must evaluate to Object but got Object.spec'],
    [apply('object'), configuration, 'must evaluate to Object but got dyn'],
    [jsonPatch('JSONPatch{op: "remove", path: "/a"}'), patch, 'must evaluate to list(JSONPatch) but got JSONPatch'],
    [jsonPatch('[]'), patch, 'must evaluate to list(JSONPatch) but got list(dyn)'],
    [
      jsonPatch('[JSONPatch{op: 1}]'),
      patch,
      "compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: 1}]\n | .............^",
    ],
    [apply('Objekt{}'), configuration, "undeclared reference to 'Objekt' (in container '')"],
    [apply('Object{a: params.x}'), configuration, "undeclared reference to 'params' (in container '')"],
    [apply('Object{a: variables.x}'), configuration, "undefined field 'x'"],
    [apply('Object{'), configuration, 'Syntax error'],
    // Only mutations can use the types for objects and patches.
    [
      apply('Object{}'),
      'spec.variables[0].expression',
      "undeclared reference to 'Object' (in container '')",
      { variables: [{ name: 'v', expression: 'Object{}' }] },
    ],
    [
      apply('Object{}'),
      'spec.matchConditions[0].expression',
      "undeclared reference to 'jsonpatch' (in container '')",
      { matchConditions: [{ name: 'c', expression: 'jsonpatch.escapeKey("a") == "b"' }] },
    ],
  ])('must be right: %j', async (mutation, field, problem, spec) => {
    const { status, body } = await create(mutation, spec);
    expect(status).toBe(422);
    expect(body.details.causes).toMatchObject([{ field, message: expect.stringContaining(problem) }]);
  });
});
