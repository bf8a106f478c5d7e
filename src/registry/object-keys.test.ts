import { describe, expect, it } from 'vitest';
import { ObjectKeys, storageRoot } from './object-keys.ts';

const layout = { group: 'apps', version: 'v1', kind: 'Deployment', keyPrefix: 'deployments' };

describe.each([
  ['of a namespace', 'shop', '/registry/deployments/shop/', '/registry/deployments/shop/web', 'web'],
  ['without a namespace', '', '/registry/deployments/', '/registry/deployments/web', 'web'],
])('keys %s', (_what, namespace, prefix, key, relative) => {
  const keys = new ObjectKeys(layout);

  it('consist of the root of the type, the namespace and the name', () => {
    expect([keys.prefix(namespace), keys.of(namespace, 'web')]).toEqual([prefix, key]);
    expect(key.startsWith(storageRoot(layout))).toBe(true);
  });

  it('tell the object', () => {
    expect(keys.itemName(key)).toEqual({ namespace, name: 'web' });
    expect(keys.relative(namespace, key)).toBe(relative);
  });
});

it('are relative to all namespaces with the namespace', () => {
  expect(new ObjectKeys(layout).relative('', '/registry/deployments/shop/web')).toBe('shop/web');
});
