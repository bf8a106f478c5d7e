import { expect, it } from 'vitest';
import { typeOfKey } from './type-of-key.ts';

const types = new Map([
  ['secrets', { group: '', resource: 'secrets' }],
  ['services/specs', { group: '', resource: 'services' }],
  ['minions', { group: '', resource: 'nodes' }],
  ['deployments', { group: 'apps', resource: 'deployments' }],
  ['apiregistration.k8s.io/apiservices', { group: 'apiregistration.k8s.io', resource: 'apiservices' }],
]);

it.each([
  ['/registry/secrets/default/a', '/registry/secrets/', 'secrets', ''],
  ['/registry/services/specs/default/a', '/registry/services/specs/', 'services', ''],
  ['/registry/minions/node-1', '/registry/minions/', 'nodes', ''],
  ['/registry/minions/node.example.com', '/registry/minions/', 'nodes', ''],
  ['/registry/deployments/default/a', '/registry/deployments/', 'deployments', 'apps'],
  [
    '/registry/apiregistration.k8s.io/apiservices/v1.apps',
    '/registry/apiregistration.k8s.io/apiservices/',
    'apiservices',
    'apiregistration.k8s.io',
  ],
  ['/registry/example.com/widgets/default/a', '/registry/example.com/widgets/', 'widgets', 'example.com'],
  ['/registry/example.com/widgets/a', '/registry/example.com/widgets/', 'widgets', 'example.com'],
])('finds the type of %s', (key, prefix, resource, group) => {
  expect(typeOfKey(key, types)).toEqual({ prefix, resource, group });
});

it.each(['/registry/ranges/serviceips', '/registry/services/other/a', '/registry/secrets', '/elsewhere/secrets/a', ''])(
  'knows no type of %j',
  (key) => {
    expect(typeOfKey(key, types)).toBeUndefined();
  },
);
