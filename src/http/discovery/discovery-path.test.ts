import { expect, test } from 'vitest';
import { parseDiscoveryPath } from './discovery-path.ts';

test.each([
  ['/', { document: 'root' }],
  ['/index.html', { document: 'root' }],
  ['/version/', { document: 'version' }],
  ['/api', { document: 'coreVersions' }],
  ['/api/', { document: 'coreVersions' }],
  ['/apis/', { document: 'groups' }],
  ['/api/v1', { document: 'resources', group: '', version: 'v1' }],
  ['/api/v1/', { document: 'resources', group: '', version: 'v1' }],
  ['/api/v1/pods', undefined],
  ['/apis/apps', { document: 'group', group: 'apps' }],
  ['/apis/apps/', { document: 'group', group: 'apps' }],
  ['/apis/apps/v1', { document: 'resources', group: 'apps', version: 'v1' }],
  ['/apis/apps/v1/', { document: 'resources', group: 'apps', version: 'v1' }],
  ['/apis/apps/v1/deployments', undefined],
  ['/apisx', undefined],
  ['/healthz', undefined],
  ['/openapi/v2', undefined],
])('%s', (path, expected) => {
  expect(parseDiscoveryPath(path)).toEqual(expected);
});
