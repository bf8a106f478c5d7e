import { beforeAll, describe, expect, test } from 'vitest';
import { builtInKinds, builtInResources, groupOrder, knownVersions } from '../../resources/index.ts';
import { customDefinition, customScale, customStatus } from '../discovery/custom-definition.conformance.ts';
import { ObjectFormats } from '../object-formats.ts';
import { OpenApiDocuments } from './openapi-documents.ts';
import { customMediaTypes, servedMediaTypes } from './served-media-types.ts';

interface Reference {
  readonly $ref?: string;
}

interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Reference;
}

interface Operation {
  readonly operationId: string;
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: object; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly schema?: Reference & { readonly type?: string } }>>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: object;
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };
type Schema = Readonly<Record<string, unknown>> & {
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string }[];
};

interface Swagger {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
}

interface OpenApiDocument {
  readonly info: object;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const formats = new ObjectFormats(['json', 'yaml', 'protobuf']);
const widgets = customDefinition({ subresources: [customStatus('Widget'), customScale] });
const documents = new OpenApiDocuments({
  catalog: {
    generation: 1,
    definitions: () => [...builtInResources, widgets],
    kinds: () => builtInKinds,
    knownVersions,
    groupOrder,
  },
  media: servedMediaTypes(formats),
  customMedia: customMediaTypes(formats),
  customInfo: { title: 'Custom', version: 'v0' },
  servesIssuer: true,
  descriptions: { type: () => undefined, field: () => undefined },
});

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
let swagger: Swagger;

beforeAll(async () => {
  swagger = JSON.parse((await (await documents.swagger()).bytes('json')).toString());
});

async function openApi(name: string): Promise<OpenApiDocument> {
  return JSON.parse((await (await documents.openApi(name))!.bytes('json')).toString());
}

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
  /** Including those of the path, with the names of their places. Required ones have an exclamation mark. */
  readonly all: readonly string[];
}

function operations(): Described[] {
  return Object.entries(swagger.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved).map(written);
      return { ...operation, method, path, all: all.toSorted() };
    }),
  );
}

function resolved(parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  expect(parameter.$ref).toMatch(/^#\/parameters\/\w+-[\w-]{8}$/);
  return swagger.parameters[parameter.$ref.slice('#/parameters/'.length)]!;
}

const written = ({ name, in: place, required }: Parameter): string =>
  place === 'query' ? name : `${name}(${place}${required ? '!' : ''})`;

const find = (method: string, path: string): Described =>
  operations().find((operation) => operation.method === method && operation.path === path)!;

/** The definitions in the responses by code, without their packages. */
const responses = ({ responses: byCode }: Operation): object =>
  Object.fromEntries(
    Object.entries(byCode).map(([code, { schema }]) => [code, schema?.$ref?.split('.').at(-1) ?? schema?.type]),
  );

const objects = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const patches = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const listNames = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'pretty',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];
const deleteNames = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
];
const selectionNames = listNames.filter((name) => name !== 'allowWatchBookmarks' && name !== 'watch');
const collectionNames = [...new Set([...deleteNames, ...selectionNames])];
const writeNames = ['body(body!)', 'dryRun', 'fieldManager', 'fieldValidation', 'pretty'];

const isBuiltIn = ({ path }: Described): boolean => !path.includes('/ex.io/');

describe('the operations of built-in types', () => {
  test('are as many as those of kube-apiserver', () => {
    const counts: Record<string, number> = {};
    for (const { 'x-kubernetes-action': action = 'none' } of operations().filter(isBuiltIn)) {
      counts[action] = (counts[action] ?? 0) + 1;
    }
    expect(counts).toEqual({
      connect: 48,
      delete: 60,
      deletecollection: 59,
      get: 96,
      list: 93,
      none: 47,
      patch: 94,
      post: 70,
      put: 95,
      watch: 60,
      watchlist: 92,
    });
  });

  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['get', ['*/*'], objects, ['pretty']],
    ['list', ['*/*'], [...objects, ...streams], listNames],
    ['watch', ['*/*'], [...objects, ...streams], listNames],
    ['watchlist', ['*/*'], [...objects, ...streams], listNames],
    ['post', ['*/*'], objects, writeNames],
    ['put', ['*/*'], objects, writeNames],
    ['patch', patches, objects, [...writeNames, 'force']],
    ['delete', ['*/*'], objects, ['body(body)', ...deleteNames]],
    ['deletecollection', ['*/*'], objects, ['body(body)', ...collectionNames]],
  ])('%s: media types and parameters', (action, consumes, produces, parameters) => {
    const found = operations().filter(
      (operation) =>
        isBuiltIn(operation) && operation['x-kubernetes-action'] === action && !operation.path.endsWith('/log'),
    );
    expect(found.length).toBeGreaterThan(50);
    for (const operation of found) {
      const own = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}(path!)`);
      expect(operation, operation.operationId).toMatchObject({
        consumes,
        produces,
        all: [...parameters, ...own].toSorted(),
      });
    }
  });

  test.each<[string, string, object]>([
    // The object is returned nevertheless.
    ['delete', '/api/v1/namespaces/{name}', { 200: 'Status', 202: 'Status' }],
    ['delete', '/api/v1/namespaces/{namespace}/configmaps/{name}', { 200: 'Status', 202: 'Status' }],
    ['delete', '/api/v1/namespaces/{namespace}/pods/{name}', { 200: 'Pod', 202: 'Pod' }],
    ['delete', '/apis/storage.k8s.io/v1/storageclasses/{name}', { 200: 'StorageClass', 202: 'StorageClass' }],
    ['delete', '/api/v1/namespaces/{namespace}/pods', { 200: 'Status' }],
    [
      'post',
      '/api/v1/namespaces/{namespace}/pods/{name}/eviction',
      { 200: 'Eviction', 201: 'Eviction', 202: 'Eviction' },
    ],
    ['put', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale', { 200: 'Scale', 201: 'Scale' }],
    ['patch', '/api/v1/nodes/{name}/status', { 200: 'Node', 201: 'Node' }],
    ['get', '/api/v1/watch/pods', { 200: 'WatchEvent' }],
    ['get', '/api/v1/nodes/{name}/proxy/{path}', { 200: 'string' }],
    ['get', '/apis/apps/', { 200: 'APIGroup' }],
    ['get', '/.well-known/openid-configuration/', { 200: 'string' }],
  ])('%s %s answers %j', (method, path, expected) => {
    expect(responses(find(method, path))).toEqual({ ...expected, 401: undefined });
  });

  test('a log is text or an error, and its options are parameters unless they are times', () => {
    expect(find('get', '/api/v1/namespaces/{namespace}/pods/{name}/log')).toMatchObject({
      consumes: ['*/*'],
      produces: ['text/plain', ...objects],
      all: [
        'container',
        'follow',
        'insecureSkipTLSVerifyBackend',
        'limitBytes',
        'name(path!)',
        'namespace(path!)',
        'pretty',
        'previous',
        'sinceSeconds',
        'stream',
        'tailLines',
        'timestamps',
      ],
    });
  });

  test.each<[string, string, string, string]>([
    ['/api/v1/watch/pods', 'watchCoreV1PodListForAllNamespaces', 'watchlist', 'Pod'],
    ['/api/v1/watch/namespaces/{namespace}/pods', 'watchCoreV1NamespacedPodList', 'watchlist', 'Pod'],
    ['/api/v1/watch/namespaces/{namespace}/pods/{name}', 'watchCoreV1NamespacedPod', 'watch', 'Pod'],
    ['/api/v1/watch/nodes', 'watchCoreV1NodeList', 'watchlist', 'Node'],
    ['/api/v1/watch/nodes/{name}', 'watchCoreV1Node', 'watch', 'Node'],
  ])('%s is a deprecated watch: %s', (path, operationId, action, kind) => {
    const item = swagger.paths[path]!;
    expect(Object.keys(item)).toEqual(['get', 'parameters']);
    expect(item.get).toMatchObject({
      operationId,
      description: expect.stringContaining('Deprecated'),
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind },
    });
  });

  test.each<[string, string | undefined, readonly string[]]>([
    ['/api/v1/', 'application/json', objects],
    ['/apis/', 'application/json', objects],
    ['/apis/apps/', 'application/json', objects],
    ['/version/', 'application/json', ['application/json']],
    ['/.well-known/openid-configuration/', undefined, ['application/json']],
    ['/openid/v1/jwks/', undefined, ['application/jwk-set+json']],
  ])('%s consumes %s and produces %j', (path, consumes, produces) => {
    const operation = find('get', path);
    expect(operation.consumes?.[0]).toBe(consumes);
    expect(operation.produces).toEqual(produces);
  });
});

describe('the operations of custom types', () => {
  const base = '/apis/ex.io/v1/namespaces/{namespace}/widgets';
  const own = ['application/json', 'application/yaml'];
  const mergePatches = patches.filter((type) => !type.includes('strategic'));
  const created = { 200: 'Widget', 201: 'Widget', 202: 'Widget' };
  const place = ['name(path!)', 'namespace(path!)'];

  test.each<[string, string, Partial<Described>, object]>([
    ['get', base, { all: ['namespace(path!)', ...listNames] }, { 200: 'WidgetList' }],
    ['post', base, { consumes: own, all: ['namespace(path!)', ...writeNames] }, created],
    ['delete', base, { all: ['namespace(path!)', ...listNames] }, { 200: 'Status' }],
    ['get', `${base}/{name}`, { all: [...place, 'pretty', 'resourceVersion'] }, { 200: 'Widget' }],
    ['put', `${base}/{name}`, { consumes: own, all: [...place, ...writeNames] }, { 200: 'Widget', 201: 'Widget' }],
    ['patch', `${base}/{name}`, { consumes: mergePatches, all: [...place, ...writeNames, 'force'] }, { 200: 'Widget' }],
    [
      'delete',
      `${base}/{name}`,
      { consumes: own, all: [...place, 'body(body)', ...deleteNames] },
      { 200: 'Status', 202: 'Status' },
    ],
    ['get', `${base}/{name}/status`, { all: [...place, 'pretty', 'resourceVersion'] }, { 200: 'Widget' }],
    ['patch', `${base}/{name}/scale`, { consumes: mergePatches }, { 200: 'Scale' }],
  ])('%s %s', (method, path, { consumes, all }, codes) => {
    const operation = find(method, path);
    expect(operation.produces).toEqual(own);
    expect(operation.consumes).toEqual(consumes);
    if (all !== undefined) expect(operation.all).toEqual(all.toSorted());
    expect(responses(operation)).toEqual({ ...codes, 401: undefined });
  });

  test('have no deprecated watches', () => {
    expect(Object.keys(swagger.paths).filter((path) => path.startsWith('/apis/ex.io/v1/watch/'))).toEqual([]);
  });
});

describe('parameters', () => {
  const names = (parameters: readonly Parameter[] = []): string[] => parameters.map(resolved).map(({ name }) => name);

  test('belong to the path if all of its operations have them, and are sorted', () => {
    const item = swagger.paths['/api/v1/namespaces/{namespace}/pods']!;
    expect(names(item.parameters)).toEqual(['namespace', 'pretty']);
    expect(names(item.post!.parameters)).toEqual(['body', 'dryRun', 'fieldManager', 'fieldValidation']);
    expect(names(swagger.paths['/api/v1/pods']!.parameters)).toEqual(listNames);
    expect(swagger.paths['/api/v1/pods']!.get).not.toHaveProperty('parameters');
    const reviews = swagger.paths['/apis/authentication.k8s.io/v1/tokenreviews']!;
    expect(names(reviews.parameters)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'pretty']);
    expect(names(reviews.post!.parameters)).toEqual(['body']);
  });

  test('are written once, except those that differ or that old clients look for', () => {
    const inline = operations()
      .flatMap(({ path, parameters = [] }) => [...parameters, ...(swagger.paths[path]!.parameters ?? [])])
      .filter(({ $ref }) => $ref === undefined);
    expect([...new Set(inline.map(({ name }) => name))].toSorted()).toEqual([
      'body',
      'dryRun',
      'fieldValidation',
      'name',
    ]);
    const sharedBodies = inline.flatMap(({ schema }) => (schema?.$ref?.includes('apimachinery') ? schema.$ref : []));
    expect(sharedBodies).toEqual([]);
  });

  test('include the options of subresources', () => {
    const { parameters } = swagger.paths['/api/v1/namespaces/{namespace}/pods/{name}/exec']!;
    expect(names(parameters)).toEqual([
      'command',
      'container',
      'name',
      'namespace',
      'stderr',
      'stdin',
      'stdout',
      'tty',
    ]);
    const { parameters: ofProxy } = swagger.paths['/api/v1/nodes/{name}/proxy/{path}']!;
    expect(ofProxy!.map(resolved).map(written)).toEqual(['name(path!)', 'path(path!)', 'path']);
  });
});

describe('kinds of all versions', () => {
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  const versionsOf = (schema: Schema | undefined): string[] =>
    schema!['x-kubernetes-group-version-kind']!.map(({ group, version }) => `${group}/${version}`);

  test.each(['DeleteOptions', 'WatchEvent'])('%s is named with every version in the Swagger document', (kind) => {
    const versions = versionsOf(swagger.definitions[`${meta}.${kind}`]);
    expect(versions).toHaveLength(60);
    expect(versions).toEqual(versions.toSorted());
    expect(versions).toEqual(expect.arrayContaining(['/v1', 'apps/v1beta2', 'imagepolicy.k8s.io/v1alpha1']));
  });

  test.each([
    ['api/v1', ['/v1']],
    ['apis/apps/v1', ['/v1', 'apps/v1']],
  ])('are named with the own version in the document %s', async (name, versions) => {
    const { schemas } = (await openApi(name)).components;
    expect(versionsOf(schemas![`${meta}.DeleteOptions`])).toEqual(versions);
    expect(versionsOf(schemas![`${meta}.WatchEvent`])).toEqual(versions);
  });

  test('are named with the versions that clients know in documents about custom types', async () => {
    const { schemas } = (await openApi('apis/ex.io/v1')).components;
    const versions = versionsOf(schemas![`${meta}.DeleteOptions`]);
    expect(versions).toHaveLength(53);
    expect(versions).not.toContain('apiextensions.k8s.io/v1');
    expect(schemas).not.toHaveProperty([`${meta}.WatchEvent`]);
  });

  test('an event of a watch has no kind of its own', () => {
    const { properties, required } = swagger.definitions[`${meta}.WatchEvent`]!;
    expect(properties).toEqual({
      object: { $ref: '#/definitions/io.k8s.apimachinery.pkg.runtime.RawExtension' },
      type: { type: 'string' },
    });
    expect(required).toEqual(['type', 'object']);
    expect(swagger.definitions['io.k8s.apimachinery.pkg.runtime.RawExtension']).toEqual({ type: 'object' });
  });
});

describe('a document of OpenAPI 3.0', () => {
  test('has the media types of the Swagger document', async () => {
    const { paths } = await openApi('api/v1');
    for (const [path, item] of Object.entries(paths)) {
      for (const method of methods.filter((name) => name in item)) {
        const { consumes, produces } = find(method, path);
        const { requestBody, responses: byCode } = item[method]!;
        if (requestBody !== undefined) expect(Object.keys(requestBody.content)).toEqual(consumes);
        expect(Object.keys((byCode[200] as { content?: object }).content ?? {})).toEqual(produces);
      }
    }
  });

  test('about custom types has a title of its own, and does not mention authentication', async () => {
    const { info, components } = await openApi('apis/ex.io/v1');
    expect(info).toEqual({ title: 'Custom', version: 'v0' });
    expect(Object.keys(components)).toEqual(['schemas']);
    expect((await openApi('apis/apps/v1')).info).toEqual({ title: 'Kubernetes', version: '1.36' });
  });

  test('has no schemas when it needs none', async () => {
    const { paths, components } = await openApi('openid/v1/jwks');
    expect(Object.keys(paths)).toEqual(['/openid/v1/jwks/']);
    expect(Object.keys(components)).toEqual(['securitySchemes']);
  });
});
