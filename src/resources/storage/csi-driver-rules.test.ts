import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { csiDriverRules } from './csi-driver-rules.ts';

const driver = (spec: object): ResourceObject => ({ metadata: { name: 'd' }, spec });
const gated = { preventPodSchedulingIfMissing: true };

describe('a field of a feature that is off', () => {
  it('is dropped from a new object', () => {
    const created = driver({ attachRequired: true, ...gated });
    csiDriverRules.prepareCreate!(created, { name: 'u', groups: [] } as never);
    expect(created.spec).toEqual({ attachRequired: true });
  });

  it.each<[string, object, object]>([
    ['is dropped from an object that did not have it', {}, {}],
    ['is kept in an object that has it', { preventPodSchedulingIfMissing: false }, gated],
  ])('%s', (_name, before, after) => {
    const next = driver(gated);
    csiDriverRules.prepareUpdate!(next, driver(before));
    expect(next.spec).toEqual(after);
  });
});

it.each<[string, object, object | undefined, number]>([
  ['a new driver with tokens', { tokenRequests: [{ audience: 'a' }] }, undefined, 1],
  ['a new driver without tokens', {}, undefined, 0],
  ['other tokens', { tokenRequests: [{ audience: 'a' }] }, { tokenRequests: [{ audience: 'b' }] }, 1],
  ['the same tokens', { tokenRequests: [{ audience: 'a' }] }, { tokenRequests: [{ audience: 'a' }] }, 0],
  ['tokens in secrets', { tokenRequests: [{}], serviceAccountTokenInSecrets: true }, undefined, 0],
])('warns of tokens in volume attributes: %s', (_name, spec, oldSpec, count) => {
  expect(csiDriverRules.warnings!(driver(spec), oldSpec && driver(oldSpec))).toHaveLength(count);
});
