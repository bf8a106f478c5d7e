import { describe, expect, it } from 'vitest';
import { isWatch, type ResourceTarget, requestInfo } from './request-info.ts';

const target = (path: string) => requestInfo('GET', path, '').target;
const core: ResourceTarget = {
  group: '',
  version: 'v1',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  isWatchPath: false,
  rest: '',
  isMalformed: false,
};
const apps = { ...core, group: 'apps' };

describe('the target of a path', () => {
  it.each<[string, Partial<ResourceTarget>]>([
    ['/api/v1/pods', { resource: 'pods' }],
    ['/api/v1/pods/', { resource: 'pods' }],
    ['/api/v1/nodes/n', { resource: 'nodes', name: 'n' }],
    ['/api/v1/nodes/n/status', { resource: 'nodes', name: 'n', subresource: 'status' }],
    ['/api/v1/namespaces', { resource: 'namespaces' }],
    ['/api/v1/namespaces/x', { resource: 'namespaces', name: 'x' }],
    ['/api/v1/namespaces/x/status', { resource: 'namespaces', name: 'x', subresource: 'status' }],
    ['/api/v1/namespaces/x/finalize', { resource: 'namespaces', name: 'x', subresource: 'finalize' }],
    ['/api/v1/namespaces/x/pods', { resource: 'pods', namespace: 'x' }],
    ['/api/v1/namespaces/x/pods/p', { resource: 'pods', namespace: 'x', name: 'p' }],
    ['/api/v1/namespaces/x/pods/p/log', { resource: 'pods', namespace: 'x', name: 'p', subresource: 'log' }],
    ['/api/v1/namespaces/a%2Fb', { resource: 'b', namespace: 'a' }],
    ['/api/v1/nodes/n/proxy', { resource: 'nodes', name: 'n', subresource: 'proxy', rest: '' }],
    ['/api/v1/nodes/n/proxy/', { resource: 'nodes', name: 'n', subresource: 'proxy', rest: '/' }],
    ['/api/v1/nodes/n/proxy/a%2Fb//c/', { resource: 'nodes', name: 'n', subresource: 'proxy', rest: '/a%2Fb//c/' }],
    ['/api/v1/n%6Fdes/%C3%A9', { resource: 'nodes', name: 'é' }],
  ])('%s', (path, expected) => {
    expect(target(path)).toEqual({ ...core, ...expected });
  });

  it.each([
    ['GET', '/keelson/history/api/v1/namespaces/x/pods/p', { verb: 'get', isHistory: true }],
    ['GET', '/keelson/history/api/v1/namespaces/x/pods/p/', { verb: 'get', isHistory: true }],
    ['DELETE', '/keelson%2Fhistory/api/v1/namespaces/x/pods/p', { verb: 'delete', isHistory: true }],
  ])('%s %s is that of the object', (method, path, expected) => {
    const pod = { ...core, resource: 'pods', namespace: 'x', name: 'p' };
    expect(requestInfo(method, path, '')).toEqual({ path: decodeURIComponent(path), target: pod, ...expected });
  });

  it.each([
    '/keelson/history',
    '/keelson/history/',
    '/keelson/history/keelson/history/api/v1/pods',
    '/keelson/historyapi/v1/pods',
  ])('%s has none', (path) => {
    expect(requestInfo('GET', path, '')).toEqual({ path, verb: 'get', target: undefined });
  });

  it.each<[string, Partial<ResourceTarget>]>([
    ['/api/v1/watch/pods', { resource: 'pods' }],
    ['/api/v1/watch/namespaces', { resource: 'namespaces' }],
    ['/api/v1/watch/namespaces/x', { resource: 'namespaces', name: 'x' }],
    ['/api/v1/watch/namespaces/x/pods', { resource: 'pods', namespace: 'x' }],
    ['/api/v1/watch/namespaces/x/pods/p', { resource: 'pods', namespace: 'x', name: 'p' }],
    ['/api/v1/watch/namespaces/watch/pods/watch', { resource: 'pods', namespace: 'watch', name: 'watch' }],
  ])('is to be watched: %s', (path, expected) => {
    expect(target(path)).toEqual({ ...core, ...expected, isWatchPath: true });
    expect(requestInfo('GET', path, '').verb).toBe('watch');
    expect(requestInfo('PUT', path, '').verb).toBe('update');
  });

  it('has the group of its path', () => {
    expect(target('/apis/apps/v1/deployments')).toEqual({ ...apps, resource: 'deployments' });
    expect(target('/apis/apps/v1/namespaces/x/deployments/d/status')).toEqual({
      ...apps,
      resource: 'deployments',
      namespace: 'x',
      name: 'd',
      subresource: 'status',
    });
  });

  it.each([
    '/api/v1/nodes/n/status/more',
    '/api/v1/namespaces/x/pods/p/log/more',
    '/api/v1//pods',
    '/api/v1/nodes%2Fn/proxy/x',
    '/api/v1/nodes//proxy/x',
    '/api/v1/namespaces//pods',
    '/api/v1/namespaces/x//p',
    '/api/v1/nodes//status',
    '/api/v1/nodes//',
    '/api/v1/watch/nodes/n/status',
    '/api/v1/watch/watch/nodes',
  ])('fits no resource: %s', (path) => {
    expect(target(path)?.isMalformed).toBe(true);
  });

  it.each(['/', '/api', '/api/v1', '/api/v1/', '/apis', '/apis/apps', '/apis/apps/v1', '/livez', '//api/v1/pods', '*'])(
    'is none: %s',
    (path) => expect(target(path)).toBeUndefined(),
  );

  it('does not exist for a badly encoded path', () => {
    expect(() => target('/api/%')).toThrow(URIError);
  });
});

describe('the verb', () => {
  it.each([
    ['GET', '/api/v1/pods', '', 'list'],
    ['GET', '/api/v1/pods', 'watch=1', 'watch'],
    ['GET', '/api/v1/pods', 'watch=false', 'list'],
    ['HEAD', '/api/v1/pods', '', 'list'],
    ['GET', '/api/v1/nodes/n', 'watch=1', 'get'],
    ['POST', '/api/v1/pods', '', 'create'],
    ['PUT', '/api/v1/nodes/n', '', 'update'],
    ['PATCH', '/api/v1/nodes/n', '', 'patch'],
    ['DELETE', '/api/v1/nodes/n', '', 'delete'],
    ['DELETE', '/api/v1/nodes', '', 'deletecollection'],
    ['OPTIONS', '/api/v1/nodes', '', ''],
    ['POST', '/livez', '', 'post'],
    ['GET', '/version', 'watch=1', 'get'],
  ])('is, for %s %s?%s, %s%s', (method, path, query, verb) => {
    expect(requestInfo(method, path, query).verb).toBe(verb);
  });
});

it.each([
  ['', false],
  ['other=1', false],
  ['a=1&watch', true],
  ['watch=', true],
  ['watch=1', true],
  ['watch=true', true],
  ['watch=yes', true],
  ['watch=0', false],
  ['watch=False', false],
  ['watch=0&watch=1', false],
  ['allowWatchBookmarks=true', false],
  ['labelSelector=watch%3D1', false],
])('?%s is a watch: %s', (query, expected) => {
  expect(isWatch(query)).toBe(expected);
});
