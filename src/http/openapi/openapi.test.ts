import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { builtInDescriptions } from '../../resources/descriptions/index.ts';
import { builtInKinds, builtInResources, groupOrder, optionalResources } from '../../resources/index.ts';
import { InMemoryExchange, type InMemoryResponse } from '../discovery/in-memory-exchange.ts';
import { OpenApi } from './openapi.ts';

const everyResource = [...builtInResources, ...optionalResources];

const media = {
  objects: ['application/json'],
  bodies: ['*/*'],
  streams: ['application/json;stream=watch'],
  patches: ['application/merge-patch+json'],
};
const catalog = { generation: 1, definitions: () => everyResource, kinds: () => builtInKinds, groupOrder };
const loadDescriptions = () => Promise.resolve(builtInDescriptions);
const openApi = new OpenApi({ catalog, media, servesIssuer: true, customMedia: media, loadDescriptions });

async function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<InMemoryResponse> {
  const exchange = new InMemoryExchange(url, { method, headers });
  expect(openApi.isPath(exchange.path)).toBe(true);
  await openApi.handle(exchange, exchange.path);
  return exchange.response;
}

const textOf = ({ body }: InMemoryResponse): string => body.toString();
const protobufType = (release: string) => `application/com.github.proto-openapi.spec.${release}.v1.0+protobuf`;
const oldProtobufType = (release: string) => `application/com.github.proto-openapi.spec.${release}@v1.0+protobuf`;

/** Found through the index, as clients do. */
async function documentUrls(): Promise<Record<string, string>> {
  const { paths } = JSON.parse(textOf(await get('/openapi/v3'))) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]));
}

type Json = Record<string, unknown>;

/** All objects within the value, including itself. */
function* objectsOf(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const member of Object.values(value)) yield* objectsOf(member);
}

function resolve(document: Json, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
}

function unresolvedReferences(document: Json): string[] {
  // A property may itself be called $ref.
  const references = [...objectsOf(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? $ref : []));
  return references.filter((reference) => resolve(document, reference) === undefined);
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string }[];
  readonly 'x-kubernetes-action'?: string;
}

function operationsOf(document: Json): Operation[] {
  return [...objectsOf(document.paths)].filter((value) => 'operationId' in value) as unknown as Operation[];
}

const swagger = JSON.parse(textOf(await get('/openapi/v2'))) as Json & {
  paths: Record<string, Json>;
  definitions: Json;
};

describe('the Swagger document', () => {
  test('is complete in itself', () => {
    expect(unresolvedReferences(swagger)).toEqual([]);
    const ids = operationsOf(swagger).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(swagger).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: '1.36' } });
  });

  test('has a path for every resource and subresource', () => {
    for (const { group, version, resource, namespaced, verbs, subresources } of everyResource) {
      const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const collection = `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${resource}`;
      const methods = Object.keys(swagger.paths[collection]!);
      if (verbs.includes('list')) expect(methods).toContain('get');
      if (verbs.includes('create')) expect(methods).toContain('post');
      if (verbs.includes('get')) expect(swagger.paths).toHaveProperty([`${collection}/{name}`, 'get']);
      for (const { name } of subresources) expect(swagger.paths).toHaveProperty([`${collection}/{name}/${name}`]);
    }
  });

  test.each([
    ['get', '/api/v1/pods', 'listCoreV1PodForAllNamespaces', 'list'],
    ['get', '/api/v1/namespaces/{namespace}/pods', 'listCoreV1NamespacedPod', 'list'],
    ['post', '/api/v1/namespaces/{namespace}/pods', 'createCoreV1NamespacedPod', 'post'],
    ['delete', '/api/v1/namespaces/{namespace}/pods', 'deleteCoreV1CollectionNamespacedPod', 'deletecollection'],
    ['get', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'readAppsV1NamespacedDeployment', 'get'],
    ['put', '/api/v1/nodes/{name}', 'replaceCoreV1Node', 'put'],
    [
      'patch',
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
      'patchAppsV1NamespacedDeploymentScale',
      'patch',
    ],
    ['put', '/api/v1/namespaces/{name}/finalize', 'replaceCoreV1NamespaceFinalize', 'put'],
    ['get', '/api/v1/namespaces/{namespace}/pods/{name}/log', 'readCoreV1NamespacedPodLog', 'get'],
    ['post', '/api/v1/namespaces/{namespace}/pods/{name}/eviction', 'createCoreV1NamespacedPodEviction', 'post'],
    ['get', '/api/v1/namespaces/{namespace}/pods/{name}/exec', 'connectCoreV1GetNamespacedPodExec', 'connect'],
    ['head', '/api/v1/nodes/{name}/proxy/{path}', 'connectCoreV1HeadNodeProxyWithPath', 'connect'],
    ['get', '/apis/rbac.authorization.k8s.io/', 'getRbacAuthorizationAPIGroup', undefined],
    ['get', '/version/', 'getCodeVersion', undefined],
  ])('calls %s %s %s', (method, path, id, action) => {
    const operation = swagger.paths[path]![method] as Operation;
    expect(operation.operationId).toBe(id);
    expect(operation['x-kubernetes-action']).toBe(action);
  });

  test('answers deletes with what the server answers', () => {
    const responseSchema = (path: string) => resolve(swagger.paths[path]!, '#/delete/responses/200/schema');
    const named = (name: string) => ({ $ref: `#/definitions/${name}` });
    expect(responseSchema('/api/v1/namespaces/{namespace}/pods/{name}')).toEqual(named('io.k8s.api.core.v1.Pod'));
    expect(responseSchema('/api/v1/namespaces/{namespace}/configmaps/{name}')).toEqual(
      named('io.k8s.apimachinery.pkg.apis.meta.v1.Status'),
    );
  });

  test('makes kinds of the served types only', () => {
    expect(swagger.definitions['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' } },
      'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
    });
    expect(swagger.definitions['io.k8s.api.apps.v1.DeploymentList']).toMatchObject({
      required: ['items'],
      'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'DeploymentList', version: 'v1' }],
    });
    expect(swagger.definitions['io.k8s.api.apps.v1.DeploymentSpec']).not.toHaveProperty(
      'x-kubernetes-group-version-kind',
    );
    expect(swagger.definitions).toHaveProperty(['io.k8s.api.autoscaling.v1.Scale', 'x-kubernetes-group-version-kind']);
  });

  test.each(['patch', 'put'])('has the parameters that clients look for in %s itself', (method) => {
    const { parameters } = swagger.paths['/api/v1/namespaces/{namespace}/pods/{name}']![method] as Operation;
    expect(parameters!.map(({ name }) => name)).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
  });

  test('describes the options of a subresource', () => {
    const { parameters } = swagger.paths['/api/v1/namespaces/{namespace}/pods/{name}/log']! as {
      parameters: readonly { $ref: string }[];
    };
    const { $ref } = parameters.find(({ $ref: reference }) => reference?.startsWith('#/parameters/follow-'))!;
    expect(resolve(swagger, $ref)).toEqual({
      name: 'follow',
      in: 'query',
      type: 'boolean',
      description: 'Keep the connection open and send new lines as they come.',
      uniqueItems: true,
    });
  });

  test('is sent compressed to clients that accept gzip', async () => {
    const response = await get('/openapi/v2', { 'accept-encoding': 'gzip' });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding, Accept' });
    expect(gunzipSync(response.body).toString()).toBe(textOf(await get('/openapi/v2')));
  });

  test('is not sent again to clients that have it', async () => {
    const { etag } = (await get('/openapi/v2')).headers;
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const response = await get('/openapi/v2', { 'if-none-match': String(etag), accept: protobufType('v2') });
    expect(response).toMatchObject({ status: 304, headers: { etag } });
    expect(response.body).toHaveLength(0);
  });

  test.each([
    [undefined, 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    [protobufType('v2'), 200, protobufType('v2')],
    [oldProtobufType('v2'), 200, protobufType('v2')],
    ['application/yaml', 406, undefined],
  ])('for Accept %s answers %i %s', async (accept, status, type) => {
    const response = await get('/openapi/v2', accept === undefined ? {} : { accept }, 'POST');
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe(type);
    if (status === 406) expect(response.body).toHaveLength(0);
  });
});

describe('the OpenAPI documents', async () => {
  const urls = await documentUrls();

  test('are those of the index', () => {
    const versions = groupOrder.flatMap(({ group, versions }) => [
      group,
      ...Object.keys(versions).map((v) => `${group}/${v}`),
    ]);
    expect(Object.keys(urls)).toEqual(
      [
        '.well-known/openid-configuration',
        'openid/v1/jwks',
        ...['api', 'api/v1', 'apis', 'version', ...versions.map((name) => `apis/${name}`)],
      ].toSorted(),
    );
  });

  test.each(Object.entries(urls))('%s is complete in itself', async (name, url) => {
    const document = JSON.parse(textOf(await get(url))) as Json & { paths: Json };
    expect(unresolvedReferences(document)).toEqual([]);
    const operations = operationsOf(document);
    expect(operations.length).toBeGreaterThan(0);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(Object.keys(document.paths).every((path) => path.startsWith(`/${name}/`))).toBe(true);
  });

  test('together describe what the Swagger document does', async () => {
    const texts = await Promise.all(Object.values(urls).map(async (url) => textOf(await get(url))));
    const ids = texts.flatMap((text) => operationsOf(JSON.parse(text)).map(({ operationId }) => operationId));
    expect(ids.toSorted()).toEqual(
      operationsOf(swagger)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
  });

  test('announce that the server validates fields', async () => {
    const { paths } = JSON.parse(textOf(await get('/openapi/v3/apis/apps/v1'))) as { paths: Record<string, Json> };
    const { parameters } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!.patch as Operation;
    expect(parameters!.map(({ name }) => name)).toContain('fieldValidation');
  });

  test('are immutable under the URL with the hash', async () => {
    const { status, headers } = await get(urls['api/v1']!);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, immutable',
      vary: 'Accept',
      'content-type': 'application/json',
    });
    expect(urls['api/v1']).toBe(`/openapi/v3/api/v1?hash=${String(headers.etag).slice(1, -1)}`);
    expect(Date.parse(String(headers.expires))).toBeGreaterThan(Date.now() + 364 * 24 * 3600 * 1000);
  });

  test('are not immutable without a hash', async () => {
    expect((await get('/openapi/v3/api/v1')).headers['cache-control']).toBe('no-cache, private');
  });

  test('redirect from an old hash', async () => {
    const { status, headers, body } = await get('/openapi/v3/api/v1?hash=ABC');
    expect(status).toBe(301);
    expect(headers.location).toBe(urls['api/v1']);
    expect(body).toHaveLength(0);
  });

  test('are not sent again to clients that have them', async () => {
    const { etag } = (await get('/openapi/v3/version')).headers;
    expect((await get(urls.version!, { 'if-none-match': String(etag) })).status).toBe(304);
  });

  test.each([
    ['/openapi/v3/version', oldProtobufType('v3'), 200],
    ['/openapi/v3/version', 'application/yaml', 406],
    ['/openapi/v3/apis/nope/v1', '*/*', 404],
    ['/openapi/v3/', '*/*', 404],
  ])('%s for %s answers %i', async (url, accept, status) => {
    const response = await get(url, { accept, 'accept-encoding': 'gzip' });
    expect(response.status).toBe(status);
    expect(response.headers).not.toHaveProperty('content-encoding');
    if (status !== 200) expect(response.body).toHaveLength(0);
  });
});

test('documents are rebuilt when the catalog changes', async () => {
  const changing = { ...catalog };
  const documents = new OpenApi({ catalog: changing, media, customMedia: media, loadDescriptions });
  const tag = async () => {
    const exchange = new InMemoryExchange('/openapi/v2');
    await documents.handle(exchange, exchange.path);
    return exchange.response.headers.etag;
  };
  const before = await tag();
  changing.definitions = () => everyResource.filter(({ group }) => group !== 'apps');
  expect(await tag()).toBe(before);
  changing.generation = 2;
  expect(await tag()).not.toBe(before);
});

test('descriptions that failed to load are loaded again', async () => {
  const loads = [() => Promise.reject(new Error('disk')), loadDescriptions];
  const documents = new OpenApi({ catalog, media, customMedia: media, loadDescriptions: () => loads.shift()!() });
  const exchange = new InMemoryExchange('/openapi/v3/version');
  await expect(documents.handle(exchange, exchange.path)).rejects.toThrow('disk');
  await documents.handle(exchange, exchange.path);
  expect(exchange.response.status).toBe(200);
});

test('other paths are not handled', () => {
  for (const path of ['/openapi', '/openapi/v2/', '/openapi/v4', '/api']) {
    expect(openApi.isPath(path)).toBe(false);
  }
});
