import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { type ApiResponse, TestApi } from './api.ts';

const seed = 7;
const requests = 600;
const parallel = 8;

let api: TestApi;
const faults: string[] = [];
beforeAll(async () => {
  const error = (message: string, fields?: object) => faults.push(`${message} ${JSON.stringify(fields)}`);
  api = await TestApi.start({ log: { info: () => {}, error, flush: () => Promise.resolve() } });
});
afterAll(() => api.stop());

const random = createRandom(seed);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;

const methods = [
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PATCH',
  'PATCH',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PURGE',
];
const roots = [
  '/api/v1',
  '/apis/apps/v1',
  '/apis/batch/v1',
  '/apis/autoscaling/v1',
  '/apis/rbac.authorization.k8s.io/v1',
  '/apis/gadgets.example.com/v1',
  '/api',
  '/apis',
  '',
  '/openapi/v3',
  '/livez',
];
const places = ['', '/namespaces/default', '/namespaces/absent', '/namespaces/', '/namespaces/%00', '/namespaces/..'];
const resources = [
  '/configmaps',
  '/pods',
  '/secrets',
  '/services',
  '/events',
  '/namespaces',
  '/nodes',
  '/deployments',
  '/controllerrevisions',
  '/jobs',
  '/horizontalpodautoscalers',
  '/clusterroles',
  '/gadgets',
  '/',
  '',
];
const names = [
  '',
  '',
  '/one',
  '/two',
  '/%F0%9F%9A%A2',
  '/a%2Fb',
  '/%25',
  '/..',
  '/constructor',
  '/__proto__',
  `/${'x'.repeat(300)}`,
];
/** Existing collections, so that requests get past the router. */
const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/events',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/controllerrevisions',
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];
const subresources = ['', '', '', '/status', '/scale', '/finalize', '/log', '/binding', '/__proto__'];
const texts = [
  '',
  '0',
  '1',
  '-1',
  'true',
  'All',
  'Strict',
  'x',
  'a=b',
  'a in (b',
  ',',
  '%',
  '%ff',
  'metadata.name=one',
  '99999999999999999999',
  '1e9',
  'Orphan',
  'NotOlderThan',
  'Exact',
  '1s',
  'null',
  '\u2028',
];
const parameters = [
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldValidation',
  'fieldManager',
  'gracePeriodSeconds',
  'orphanDependents',
  'propagationPolicy',
  'pretty',
  'timeout',
  'force',
  'verbose',
  'exclude',
];
const types = [
  'application/json',
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/yaml',
  'text/plain',
  ';',
  'application/vnd.kubernetes.protobuf',
  '',
];
const keys = [
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'uid',
  'resourceVersion',
  'deletionTimestamp',
  'managedFields',
  'spec',
  'status',
  'data',
  'stringData',
  'template',
  'containers',
  'selector',
  'replicas',
  'kind',
  'apiVersion',
  'op',
  'path',
  'value',
  '$patch',
  '$setElementOrder/containers',
  '$retainKeys',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\ud800',
];
const leaves = [
  'one',
  'two',
  '',
  'default',
  'v1',
  'ConfigMap',
  '/metadata/labels',
  '/spec/-',
  'replace',
  'add',
  'test',
  'move',
  'copy',
  'merge',
  'delete',
  '10Gi',
  '2020-01-01T00:00:00Z',
  0,
  1,
  -1,
  1.5,
  1e300,
  9007199254740993n,
  true,
  false,
  null,
];

function randomValue(depth: number): unknown {
  const kind = depth > 5 ? 9 : random(10);
  if (kind < 4)
    return Object.fromEntries(Array.from({ length: random(5) }, () => [pick(keys), randomValue(depth + 1)]));
  if (kind < 6) return Array.from({ length: random(4) }, () => randomValue(depth + 1));
  return pick(leaves);
}

function randomObject(): unknown {
  const metadata = { name: pick(['one', 'two']), ...(random(2) === 0 && { [pick(keys)]: randomValue(3) }) };
  return {
    metadata,
    ...(random(3) > 0 && { [pick(keys)]: randomValue(1) }),
    ...(random(3) === 0 && { [pick(keys)]: randomValue(1) }),
  };
}

function randomBody(): Buffer | undefined {
  const kind = random(10);
  if (kind === 0) return undefined;
  if (kind === 1) return Buffer.from(Array.from({ length: random(40) }, () => random(256)));
  const value = kind < 7 ? randomObject() : randomValue(0);
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? `long ${item}` : item,
  ).replace(/"long ([0-9]+)"/g, '$1');
  // Some bodies are truncated.
  return Buffer.from(random(12) === 0 ? text.slice(0, random(text.length + 1)) : text);
}

interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

function likelyPath(): string {
  const collection = pick(collections);
  if (random(3) === 0) return collection;
  return collection + pick(['/one', '/one', '/two', ...names]) + pick(subresources);
}

function randomRequest(): RandomRequest {
  const path = random(4) > 0 ? likelyPath() : pick(roots) + pick(places) + pick(resources) + pick(names);
  const query = Array.from({ length: random(4) }, () => `${pick(parameters)}=${encodeURIComponent(pick(texts))}`);
  // Watches must end by themselves.
  const mark = query.length === 0 ? '' : `?timeoutSeconds=1&${query.join('&')}`;
  const method = pick(methods);
  const type = random(8) === 0 ? pick(types) : method === 'PATCH' ? pick(types.slice(2, 5)) : 'application/json';
  return { method, path: `${path === '' ? '/' : path}${mark}`, headers: { 'content-type': type }, body: randomBody() };
}

function isRight({ status, text }: ApiResponse): boolean {
  if (status === 504)
    return text.includes('Too large resource version') || /within (?:the allotted|requested) timeout/.test(text);
  return status >= 200 && status < 500;
}

it(`answers ${requests} requests that make little sense and lives on`, async () => {
  const wrong: string[] = [];
  const counts = new Map<number, number>();
  const worker = async (): Promise<void> => {
    for (let count = 0; count < requests / parallel; count++) {
      const { method, path, headers, body } = randomRequest();
      const response = await api.call(method, path, { headers, body });
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      if (!isRight(response))
        wrong.push(`${method} ${path} ${headers['content-type']} ${body}: ${response.status} ${response.text}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  expect(wrong).toEqual([]);
  expect(faults).toEqual([]);
  // Otherwise the requests were too random to reach any handler.
  expect(counts.get(200)).toBeGreaterThan(requests / 50);
  expect((await api.get('/readyz')).text).toBe('ok');
  expect((await api.get('/api/v1/namespaces/default')).status).toBe(200);
});
