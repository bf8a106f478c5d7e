import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { addPolicy, apply, bindPolicy, jsonPatch, ruleFor } from './mutating-policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const rules = [ruleFor(['configmaps'])];
const create = async (namespace: string) =>
  (await api.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } })).body.data;
const count = (key: string) =>
  jsonPatch(`[JSONPatch{op: "add", path: has(object.data) ? "/data/${key}" : "/data", value: dyn(
    has(object.data) ? dyn("${key}" in object.data ? object.data.${key} + "+" : "1") : dyn({"${key}": "1"}))}]`);

it('a policy sees what later ones did, if it asks for it', async () => {
  await bindPolicy(api, 'seen-a', {
    rules,
    mutations: [apply('Object{data: {"a": object.?data.b.orValue("nothing")}}')],
    policy: { reinvocationPolicy: 'IfNeeded' },
  });
  await addPolicy(
    api,
    { name: 'seen-b', namespace: 'seen-a' },
    { rules, mutations: [apply('Object{data: {"b": "late"}}')] },
  );
  expect(await create('seen-a')).toEqual({ a: 'late', b: 'late' });
});

it('a policy does not see it otherwise', async () => {
  await bindPolicy(api, 'unseen-a', {
    rules,
    mutations: [apply('Object{data: {"a": object.?data.b.orValue("nothing")}}')],
  });
  await addPolicy(
    api,
    { name: 'unseen-b', namespace: 'unseen-a' },
    { rules, mutations: [apply('Object{data: {"b": "late"}}')] },
  );
  expect(await create('unseen-a')).toEqual({ a: 'nothing', b: 'late' });
});

it('each policy is invoked twice at most, and those that do not ask for it once', async () => {
  await bindPolicy(api, 'count-a', { rules, mutations: [count('a')], policy: { reinvocationPolicy: 'IfNeeded' } });
  await addPolicy(api, { name: 'count-b', namespace: 'count-a' }, { rules, mutations: [count('b')] });
  await addPolicy(
    api,
    { name: 'count-c', namespace: 'count-a' },
    {
      rules,
      mutations: [count('c')],
      policy: { reinvocationPolicy: 'IfNeeded' },
    },
  );
  expect(await create('count-a')).toEqual({ a: '1+', b: '1', c: '1+' });
});

it('a policy whose conditions did not match at first is not invoked again', async () => {
  await bindPolicy(api, 'late-a', {
    rules,
    mutations: [apply('Object{data: {"a": "invoked"}}')],
    policy: {
      reinvocationPolicy: 'IfNeeded',
      matchConditions: [{ name: 'has-b', expression: 'has(object.data) && "b" in object.data' }],
    },
  });
  await addPolicy(
    api,
    { name: 'late-b', namespace: 'late-a' },
    { rules, mutations: [apply('Object{data: {"b": "b"}}')] },
  );
  expect(await create('late-a')).toEqual({ b: 'b' });
});

it('each parameter of a policy is reinvoked on its own', async () => {
  for (const name of ['p1', 'p2']) {
    const labels = { 'reinvoked-params': 'yes' };
    await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name, labels }, data: { key: name } });
  }
  await bindPolicy(api, 'params-a', {
    rules,
    mutations: [apply('Object{data: {params.data.key: object.?data[?params.data.key].orValue("") + "1"}}')],
    policy: { reinvocationPolicy: 'IfNeeded', paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
    binding: {
      paramRef: {
        namespace: 'default',
        selector: { matchLabels: { 'reinvoked-params': 'yes' } },
        parameterNotFoundAction: 'Deny',
      },
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'params-a' } } },
    },
  });
  expect(await create('params-a')).toEqual({ p1: '11', p2: '11' });
});

it('plugins of the server run again after a policy has changed the object', async () => {
  await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'important' }, value: 1000 });
  await bindPolicy(api, 'builtin', {
    rules: [ruleFor(['pods'])],
    mutations: [
      jsonPatch(`[
        JSONPatch{op: "replace", path: "/spec/priorityClassName", value: "important"},
        JSONPatch{op: "remove", path: "/spec/priority"},
        JSONPatch{op: "remove", path: "/spec/tolerations"}
      ]`),
    ],
  });
  const { body } = await api.post('/api/v1/namespaces/builtin/pods', {
    metadata: { name: 'x' },
    spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] },
  });
  // Before the reinvocation, the Priority plugin had set the priority to 0, and DefaultTolerationSeconds had set the
  // tolerations.
  expect(body.spec).toMatchObject({ priorityClassName: 'important', priority: 1000 });
  expect(body.spec.tolerations).toHaveLength(2);
});

it('nothing runs again when a policy changes nothing', async () => {
  await bindPolicy(api, 'unchanged', {
    rules: [ruleFor(['pods'])],
    mutations: [apply('Object{metadata: Object.metadata{labels: object.metadata.?labels.orValue({})}}')],
    policy: { reinvocationPolicy: 'IfNeeded' },
  });
  const { body } = await api.post('/api/v1/namespaces/unchanged/pods', {
    metadata: { name: 'x' },
    spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] },
  });
  expect(body.metadata.labels).toBeUndefined();
  expect(body.spec.tolerations).toHaveLength(2);
});
