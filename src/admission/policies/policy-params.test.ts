import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { ServedKind } from '../kind-finder.ts';
import type { ParamRef } from './policy-objects.ts';
import { paramsOf, paramTypeOf } from './policy-params.ts';

const storedType = { group: 'g', version: 'v1', resource: 'limits' };
const all: ResourceObject[] = ['a', 'b'].flatMap((namespace) =>
  ['one', 'two'].map((name) => ({ metadata: { name, namespace, labels: { name } } })),
);
const objects: ObjectReader = {
  get: (_type, { namespace, name }) =>
    all.find(({ metadata }) => metadata.name === name && (metadata.namespace === namespace || namespace === '')),
  list: (_type, namespace) => all.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace),
};
const namespacedType: ServedKind = { storedType, namespaced: true };
const clusterType: ServedKind = { storedType, namespaced: false };
const paramKind = { apiVersion: 'g/v1', kind: 'Limit' };

async function found(paramRef: ParamRef | undefined, type: ServedKind | undefined, namespace = 'a') {
  const params = await paramsOf(
    paramRef === undefined ? {} : { paramRef },
    { paramKind },
    { type, namespace, objects },
  );
  return params.map((param) => param && `${param.metadata.namespace}/${param.metadata.name}`);
}

describe('params', () => {
  it.each<[name: string, paramRef: ParamRef | undefined, type: ServedKind | undefined, found: unknown[]]>([
    ['of a policy without a kind', { name: 'one' }, undefined, [undefined]],
    ['of a binding without a reference', undefined, namespacedType, [undefined]],
    ['by name in the namespace of the request', { name: 'one' }, namespacedType, ['a/one']],
    ['by name in another namespace', { name: 'one', namespace: 'b' }, namespacedType, ['b/one']],
    ['by name, missing', { name: 'three' }, namespacedType, []],
    ['by name, missing, allowed', { name: 'three', parameterNotFoundAction: 'Allow' }, namespacedType, []],
    ['by selector', { selector: { matchLabels: { name: 'two' } } }, namespacedType, ['a/two']],
    ['by an empty selector', { selector: {}, namespace: 'b' }, namespacedType, ['b/one', 'b/two']],
    ['of a cluster-scoped type', { name: 'two' }, clusterType, ['a/two']],
  ])('%s', async (_name, paramRef, type, expected) => {
    expect(await found(paramRef, type)).toEqual(expected);
  });

  it.each<[paramRef: ParamRef, type: ServedKind, namespace: string, message: string]>([
    [
      { name: 'three', parameterNotFoundAction: 'Deny' },
      namespacedType,
      'a',
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      { selector: { matchLabels: { name: 'three' } }, parameterNotFoundAction: 'Deny' },
      namespacedType,
      'a',
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      { name: 'one', namespace: 'a' },
      clusterType,
      'a',
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    ],
    [
      { name: 'one' },
      namespacedType,
      '',
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ],
    [{ name: 'one', selector: {} }, namespacedType, 'a', 'paramRef.name and paramRef.selector are mutually exclusive'],
    [{}, namespacedType, 'a', 'one of name or selector must be provided'],
    [
      { name: 'one' },
      { storedType: undefined, namespaced: false },
      'a',
      'paramKind kind `&ParamKind{APIVersion:g/v1,Kind:Limit,}` not yet synced to use for admission',
    ],
  ])('%j', async (paramRef, type, namespace, message) => {
    await expect(found(paramRef, type, namespace)).rejects.toThrow(message);
  });

  it('need a served type', () => {
    expect(paramTypeOf({ paramKind }, { findKind: () => clusterType })).toBe(clusterType);
    expect(paramTypeOf({}, { findKind: () => clusterType })).toBeUndefined();
    expect(() => paramTypeOf({ paramKind }, { findKind: () => undefined })).toThrow(
      "failed to find resource referenced by paramKind: 'g/v1, Kind=Limit'",
    );
    expect(() => paramTypeOf({ paramKind: { apiVersion: 'v1', kind: 'K' } }, { findKind: () => undefined })).toThrow(
      "failed to find resource referenced by paramKind: '/v1, Kind=K'",
    );
  });
});
