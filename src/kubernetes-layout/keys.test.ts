import { expect, test } from 'vitest';
import { isObjectKey, keyGroup } from './keys.ts';

test.each([
  ['/registry/pods/default/web', true, 'pods'],
  ['/registry/services/specs/default/web', true, 'services/specs'],
  ['/registry/services/endpoints/default/web', true, 'services/endpoints'],
  ['/registry/example.com/crontabs/default/nightly', true, 'example.com/crontabs'],
  ['/registry/apiregistration.k8s.io/apiservices/v1.', true, 'apiregistration.k8s.io/apiservices'],
  ['/registry/ranges/serviceips', false, 'ranges'],
  ['/registry/masterleases/192.0.2.1', false, 'masterleases'],
  ['/registry/peerserverleases/apiserver-x', false, 'peerserverleases'],
  ['compact_rev_key', false, 'compact_rev_key'],
])('%s', (key, isObject, group) => {
  expect(isObjectKey(key)).toBe(isObject);
  expect(keyGroup(key)).toBe(group);
});
