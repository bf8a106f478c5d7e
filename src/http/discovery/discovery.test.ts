import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { StatusError } from '../../meta/status-error.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { builtInKinds, builtInResources, groupOrder, optionalResources } from '../../resources/index.ts';
import { ObjectFormats } from '../object-formats.ts';
import { Discovery } from './discovery.ts';
import { InMemoryExchange, type InMemoryResponse } from './in-memory-exchange.ts';

const everyResource = [...builtInResources, ...optionalResources];

const build = { packageVersion: '0.1.0', gitCommit: '', gitTreeState: '', buildDate: '2030-01-02T03:04:05Z' } as const;
const formats = new ObjectFormats(['json', 'yaml', 'protobuf']);
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function discoveryOf(definitions: readonly ResourceDefinition[] = everyResource) {
  const catalog = { generation: 1, definitions: () => definitions, kinds: () => builtInKinds, groupOrder };
  const options = { serverAddress: () => '192.0.2.1:6443', otherPaths: () => ['/readyz', '/healthz'] };
  return { catalog, discovery: new Discovery({ catalog, build, formats, ...options }) };
}

const { discovery } = discoveryOf();

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function get(path: string, options: RequestOptions = {}): InMemoryResponse {
  const exchange = new InMemoryExchange(path, options);
  try {
    expect(discovery.handle(exchange, exchange.path)).toBe(true);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { status: error.status.code, headers: {}, body: Buffer.from(JSON.stringify(error.status)) };
  }
  return exchange.response;
}

const documentAt = (path: string, options?: RequestOptions) => JSON.parse(get(path, options).body.toString());

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

describe('documents', () => {
  test('/api has the core versions, compact and with a newline', () => {
    expect(get('/api').body.toString()).toBe(
      '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":' +
        '[{"clientCIDR":"0.0.0.0/0","serverAddress":"192.0.2.1:6443"}]}\n',
    );
  });

  test('/apis has the groups in order of priority', () => {
    const { kind, apiVersion, groups } = documentAt('/apis');
    expect({ kind, apiVersion }).toEqual({ kind: 'APIGroupList', apiVersion: 'v1' });
    const names = groups.map(({ name }: { name: string }) => name);
    expect(names).toEqual(groupOrder.map(({ group }) => group));
    expect(names).not.toContain('');
  });

  test('/apis/<group> puts the preferred version first', () => {
    const v1 = { groupVersion: 'autoscaling/v1', version: 'v1' };
    const v2 = { groupVersion: 'autoscaling/v2', version: 'v2' };
    expect(documentAt('/apis/autoscaling')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'autoscaling',
      versions: [v2, v1],
      preferredVersion: v2,
    });
  });

  test('/api/v1 has no apiVersion, other lists have', () => {
    expect(Object.keys(documentAt('/api/v1'))).toEqual(['kind', 'groupVersion', 'resources']);
    expect(Object.keys(documentAt('/apis/apps/v1'))).toEqual(['kind', 'apiVersion', 'groupVersion', 'resources']);
  });

  test('resources are sorted and complete', () => {
    const { resources } = documentAt('/api/v1') as { resources: { name: string }[] };
    const names = resources.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    const byName = new Map(resources.map((resource) => [resource.name, resource]));
    expect(byName.get('pods')).toEqual({
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: allVerbs,
      shortNames: ['po'],
      categories: ['all'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    });
    expect(byName.get('pods/eviction')).toEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
    expect(byName.get('bindings')).not.toHaveProperty('storageVersionHash');
  });

  test('/ lists what is served here and elsewhere', () => {
    const { body } = get('/');
    const { paths } = JSON.parse(body.toString()) as { paths: string[] };
    expect(paths).toEqual(paths.toSorted());
    expect(paths).toEqual(
      expect.arrayContaining(['/api/v1', '/apis/', '/apis/apps', '/apis/apps/v1', '/readyz', '/version']),
    );
    expect(body.toString().startsWith('{\n  "paths": [\n')).toBe(true);
    expect(get('/index.html').body).toEqual(body);
  });

  test('/version is indented for everyone and JSON only', () => {
    expect(get('/version').body.toString()).toContain('\n  "gitVersion": "v1.36.0+keelson.0.1.0",\n');
    expect(documentAt('/version', { headers: { accept: 'application/yaml' } })).toMatchObject({
      code: 406,
      message: '406: Not Acceptable\n\nAvailable representations: application/json',
      details: {},
    });
  });

  test('are indented on request', () => {
    expect(get('/apis/apps?pretty=true').body.toString()).toMatch(/^\{\n {2}"kind": "APIGroup",\n.*\}$/s);
    expect(get('/apis/apps', { headers: { 'user-agent': 'curl/8' } }).body.toString()).toContain('\n  "kind"');
  });

  test('are rebuilt when the catalog changes', () => {
    let definitions: readonly ResourceDefinition[] = everyResource;
    const catalog = { generation: 1, definitions: () => definitions, kinds: () => [], groupOrder };
    const changing = new Discovery({ catalog, build, formats, serverAddress: () => '', otherPaths: () => [] });
    const groups = () => {
      const exchange = new InMemoryExchange('/apis');
      changing.handle(exchange, '/apis');
      return JSON.parse(exchange.response.body.toString()).groups.length;
    };
    expect(groups()).toBe(groupOrder.length);
    definitions = everyResource.filter(({ group }) => group !== 'apps');
    expect(groups()).toBe(groupOrder.length);
    catalog.generation = 2;
    expect(groups()).toBe(groupOrder.length - 1);
  });
});

describe('aggregated discovery', () => {
  const accept = { headers: { accept: aggregated } };

  test('has everything of a group in one document', () => {
    const { status, headers, body } = get('/apis', accept);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': aggregated, vary: 'Accept', 'cache-control': 'public' });
    const document = JSON.parse(body.toString());
    const { metadata, items } = document;
    const hash = createHash('sha512').update(JSON.stringify({ metadata, items })).digest('hex');
    expect(headers.etag).toBe(`"${hash.toUpperCase()}"`);
    expect(document).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
    });
    const apps = document.items.find((item: { metadata: { name: string } }) => item.metadata.name === 'apps');
    const deployments = apps.versions[0].resources.find(
      ({ resource }: { resource: string }) => resource === 'deployments',
    );
    expect(apps.versions[0]).toMatchObject({ version: 'v1', freshness: 'Current' });
    expect(deployments).toEqual({
      resource: 'deployments',
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      verbs: allVerbs,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [
        {
          subresource: 'scale',
          responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: subresourceVerbs,
        },
        {
          subresource: 'status',
          responseKind: { group: '', version: '', kind: 'Deployment' },
          verbs: subresourceVerbs,
        },
      ],
    });
  });

  test('has no name for the core group', () => {
    const { items } = documentAt('/api', accept);
    expect(items).toHaveLength(1);
    expect(items[0].metadata).toEqual({});
  });

  test.each([
    { name: 'the same tag', match: (tag: string) => tag, status: 304 },
    { name: 'another tag', match: () => '"ABC"', status: 200 },
    { name: 'a weak tag', match: (tag: string) => `W/${tag}`, status: 200 },
    { name: 'no quotes', match: (tag: string) => tag.slice(1, -1), status: 200 },
    { name: 'a star', match: () => '*', status: 200 },
  ])('answers $status to If-None-Match with $name', ({ match, status }) => {
    const tag = String(get('/apis', accept).headers.etag);
    const response = get('/apis', { headers: { accept: aggregated, 'if-none-match': match(tag) } });
    expect(response.status).toBe(status);
    expect(response.headers.etag).toBe(tag);
    if (status === 304) expect(response.body).toHaveLength(0);
  });

  test.each([
    { path: '/apis', accept: `${aggregated},application/json`, type: aggregated },
    { path: '/api', accept: `${aggregated};profile=nopeer`, type: aggregated },
    { path: '/apis', accept: `${aggregated.replace('v=v2', 'v=v2beta1')},application/json`, type: 'application/json' },
    { path: '/apis', accept: aggregated.replace('v=v2', 'v=v2beta1'), type: undefined },
    { path: '/apis', accept: aggregated.replace('v=v2', 'v=v3'), type: undefined },
    { path: '/apis/apps', accept: aggregated, type: undefined },
    { path: '/apis/apps/v1', accept: aggregated, type: undefined },
    { path: '/apis', accept: '*/*', type: 'application/json' },
    { path: '/apis', accept: 'application/yaml', type: 'application/yaml' },
    { path: '/api', accept: 'application/vnd.svc.protobuf', type: 'application/vnd.svc.protobuf' },
    { path: '/apis/apps/v1', accept: 'application/yaml,application/json', type: 'application/yaml' },
    {
      path: '/api',
      accept: aggregated.replace('application/json', 'application/yaml'),
      type: aggregated.replace('application/json', 'application/yaml'),
    },
    { path: '/apis', accept: 'application/cbor', type: undefined },
  ])('$path for $accept is $type', ({ path, accept: header, type }) => {
    const { status, headers } = get(path, { headers: { accept: header } });
    expect(status).toBe(type === undefined ? 406 : 200);
    expect(headers['content-type']).toBe(type);
  });
});

describe('methods and unknown paths', () => {
  test.each([
    ['/', 'any'],
    ['/apis', 'any'],
    ['/apis/apps', 'any'],
    ['/api', 'GET'],
    ['/api/v1', 'GET'],
    ['/apis/apps/v1', 'GET'],
    ['/version', 'GET'],
  ])('%s answers %s', (path, allowed) => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(get(path, { method }).status).toBe(allowed === 'any' ? 200 : 405);
    }
  });

  test.each(['/apis/apps/v2', '/api/v2'])('%s is a Status', (path) => {
    expect(documentAt(path)).toMatchObject({ kind: 'Status', code: 404, details: {} });
    expect(get(path, { method: 'POST' }).status).toBe(404);
  });

  test.each(['/apis/nope.io', '/apis/nope.io/v1', '/apis//'])('%s is plain text', (path) => {
    const { status, headers, body } = get(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
    expect(body.toString()).toBe('404 page not found\n');
  });

  test('other paths are not handled', () => {
    const exchange = new InMemoryExchange('/api/v1/pods');
    expect(discovery.handle(exchange, exchange.path)).toBe(false);
    expect(exchange.responded).toBe(false);
  });
});
