import { expect, test } from 'vitest';
import { StatusError } from '../../meta/status-error.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { builtInResources, groupOrder } from '../../resources/index.ts';
import { ObjectFormats } from '../object-formats.ts';
import { customDefinition, customScale, customStatus } from './custom-definition.conformance.ts';
import { Discovery } from './discovery.ts';
import { InMemoryExchange, type InMemoryResponse } from './in-memory-exchange.ts';

const build = { packageVersion: '0.1.0', gitCommit: '', gitTreeState: '', buildDate: '2030-01-02T03:04:05Z' } as const;
const formats = new ObjectFormats(['json', 'yaml', 'protobuf']);
const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** Discovery of a set of types that can be replaced. */
class ChangingDiscovery {
  readonly #catalog = {
    generation: 0,
    definitions: (): readonly ResourceDefinition[] => [],
    kinds: () => [],
    groupOrder,
  };
  readonly #discovery = new Discovery({
    catalog: this.#catalog,
    build,
    formats,
    serverAddress: () => '',
    otherPaths: () => [],
  });

  constructor(custom: readonly ResourceDefinition[]) {
    this.serve(custom);
  }

  serve(custom: readonly ResourceDefinition[]): void {
    this.#catalog.definitions = () => [...builtInResources, ...custom];
    this.#catalog.generation += 1;
  }

  get(path: string, headers = {}, method = 'GET'): InMemoryResponse {
    const exchange = new InMemoryExchange(path, { headers, method });
    this.#discovery.handle(exchange, path);
    return exchange.response;
  }

  document(path: string, headers = {}) {
    return JSON.parse(this.get(path, headers).body.toString());
  }
}

const widgets = customDefinition({
  shortNames: ['wd'],
  categories: ['all'],
  subresources: [customStatus('Widget'), customScale],
});
const versions = ['v1beta1', 'v1', 'v2', 'v2alpha1', 'v1beta2'].map((version) =>
  customDefinition({ group: 'aa.io', version }),
);

test('a list of custom types has its own order of verbs', () => {
  const { resources } = new ChangingDiscovery([widgets]).document('/apis/ex.io/v1');
  const scope = { namespaced: true };
  expect(resources).toEqual([
    {
      name: 'widgets',
      singularName: 'widget',
      ...scope,
      kind: 'Widget',
      verbs: customVerbs,
      shortNames: ['wd'],
      categories: ['all'],
      storageVersionHash: 'RDFwhYKgK0s=',
    },
    { name: 'widgets/status', singularName: '', ...scope, kind: 'Widget', verbs: subresourceVerbs },
    {
      name: 'widgets/scale',
      singularName: '',
      ...scope,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: subresourceVerbs,
    },
  ]);
});

test('a type that is going has fewer verbs', () => {
  const going = customDefinition({ verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] });
  const { resources } = new ChangingDiscovery([going]).document('/apis/ex.io/v1');
  expect(resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
});

test('aggregated discovery names the group and version of custom types', () => {
  const { items } = new ChangingDiscovery([widgets]).document('/apis', aggregated);
  const own = { group: 'ex.io', version: 'v1', kind: 'Widget' };
  expect(items.at(-1)).toEqual({
    metadata: { name: 'ex.io' },
    versions: [
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: own,
            scope: 'Namespaced',
            singularResource: 'widget',
            verbs: customVerbs,
            shortNames: ['wd'],
            categories: ['all'],
            subresources: [
              { subresource: 'status', responseKind: own, verbs: subresourceVerbs },
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: subresourceVerbs,
              },
            ],
          },
        ],
      },
    ],
  });
});

test.each([
  ['/apis', {}, (document: { groups: object[] }) => document.groups],
  ['/apis', aggregated, (document: { items: object[] }) => document.items],
])('custom groups follow the built-in ones by name at %s for %o', (path, headers, read) => {
  const listed = read(new ChangingDiscovery([widgets, ...versions]).document(path, headers));
  const names = listed.map((item) => ('name' in item ? item.name : (item as { metadata: object }).metadata));
  const expected = ['aa.io', 'ex.io'].map((name) => (headers === aggregated ? { name } : name));
  expect(names.slice(-2)).toEqual(expected);
});

test('the versions of a custom group are in order of stability', () => {
  const group = new ChangingDiscovery(versions).document('/apis/aa.io');
  expect(group.versions.map(({ version }: { version: string }) => version)).toEqual([
    'v2',
    'v1',
    'v1beta2',
    'v1beta1',
    'v2alpha1',
  ]);
  expect(group.preferredVersion.version).toBe('v2');
});

test('a group comes and goes with its types', () => {
  const discovery = new ChangingDiscovery([]);
  const before = discovery.get('/apis', aggregated).headers.etag;
  expect(discovery.get('/apis/ex.io').status).toBe(404);
  discovery.serve([widgets]);
  expect(discovery.get('/apis/ex.io').status).toBe(200);
  expect(discovery.get('/apis/ex.io/v1').status).toBe(200);
  expect(discovery.document('/').paths).toEqual(expect.arrayContaining(['/apis/ex.io', '/apis/ex.io/v1']));
  expect(discovery.get('/apis', aggregated).headers.etag).not.toBe(before);
  discovery.serve([]);
  expect(discovery.get('/apis/ex.io').status).toBe(404);
  expect(discovery.get('/apis', aggregated).headers.etag).toBe(before);
});

test('an unknown version is plain text in a custom group and a Status in a built-in one', () => {
  const discovery = new ChangingDiscovery([widgets]);
  const { status, body } = discovery.get('/apis/ex.io/v9');
  expect({ status, text: body.toString() }).toEqual({ status: 404, text: '404 page not found\n' });
  expect(() => discovery.get('/apis/apps/v9')).toThrow(StatusError);
});

test('the resources of a custom group answer any method', () => {
  expect(new ChangingDiscovery([widgets]).get('/apis/ex.io/v1', {}, 'POST').status).toBe(200);
});
