import { describe, expect, it } from 'vitest';
import { intType, listType, mapType, objectType, stringType } from '../../cel/index.ts';
import { checkPolicyTypes, type ServedTypes } from './type-check.ts';

const type = (kind: string) =>
  objectType(kind, {
    spec: objectType(`${kind}.spec`, { replicas: intType, names: listType(stringType) }),
    data: mapType(stringType, stringType),
  });

const served: ServedTypes = {
  byResource: ({ group, version, resource }) =>
    ['things', 'others'].includes(resource) && version === 'v1'
      ? { kind: { group, version, kind: resource }, type: type(resource) }
      : undefined,
  byKind: ({ kind, ...groupVersion }) =>
    kind === 'Limit' ? { kind: { ...groupVersion, kind }, type: objectType('Limit', { max: intType }) } : undefined,
};

const things = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] };

const check = (validations: readonly object[], spec: object = {}) =>
  checkPolicyTypes(
    { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [things] }, validations, ...spec } },
    served,
  );

describe('a type check', () => {
  it.each<[expression: string, spec?: object]>([
    ['object.spec.replicas > 1'],
    ['oldObject == null || oldObject.spec.replicas < object.spec.replicas'],
    ["'a' in object.data && object.spec.names.all(n, n != '')"],
    ['request.operation == "CREATE" && namespaceObject.metadata.name == "x"'],
    ["authorizer.group('').resource('pods').check('get').allowed()"],
    ['variables.min < object.spec.replicas', { variables: [{ name: 'min', expression: 'object.spec.replicas - 1' }] }],
    ['params.max > 1', { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } }],
    ['variables.wrong == 1', { variables: [{ name: 'wrong', expression: 'object.nothing' }] }],
  ])('finds nothing in %s', async (expression, spec) => {
    expect(await check([{ expression }], spec)).toEqual([]);
  });

  it('shows where the mistake is, for each kind', async () => {
    const rule = { ...things, apiGroups: ['', 'example.com'], resources: ['things', 'others', 'missing'] };
    const warnings = await check([{ expression: 'true' }, { expression: 'object.replicas > 1' }], {
      matchConstraints: { resourceRules: [rule] },
    });
    const mistake = "ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas > 1\n | ......^\n";
    const kinds = [
      '/v1, Kind=others',
      '/v1, Kind=things',
      'example.com/v1, Kind=others',
      'example.com/v1, Kind=things',
    ];
    expect(warnings).toEqual([
      { fieldRef: 'spec.validations[1].expression', warning: kinds.map((kind) => `${kind}: ${mistake}`).join('\n') },
    ]);
  });

  it.each<[expression: string, problem: string, spec?: object]>([
    ["object.spec.replicas == 'a'", "found no matching overload for '_==_' applied to '(int, string)'"],
    ['object.spec.name == 1', "undefined field 'name'"],
    ['variables.none', "undefined field 'none'"],
    [
      'variables.a + 1',
      "found no matching overload for '_+_' applied to '(string, int)'",
      { variables: [{ name: 'a', expression: "object.data['x']" }] },
    ],
    ['params.min > 1', "undefined field 'min'", { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } }],
    // As in kube-apiserver, a kind that is not served leaves the variable undeclared.
    ['params.x', "undeclared reference to 'params'", { paramKind: { apiVersion: 'v1', kind: 'None' } }],
    [
      'authorizer.allowed()',
      "found no matching overload for 'allowed' applied to 'kubernetes.authorization.Authorizer.()'",
    ],
  ])('finds the mistake in %s', async (expression, problem, spec) => {
    const [first, ...others] = await check([{ expression }], spec);
    expect(first?.warning).toContain(problem);
    expect(others).toEqual([]);
  });

  it('includes the messages', async () => {
    const warnings = await check([{ expression: 'true', messageExpression: 'object.foo' }]);
    expect(warnings.map(({ fieldRef }) => fieldRef)).toEqual(['spec.validations[0].messageExpression']);
  });

  it.each<[name: string, rule: object]>([
    ['all groups', { apiGroups: ['*'] }],
    ['all versions', { apiVersions: ['*'] }],
    ['all resources', { resources: ['*'] }],
    ['subresources', { resources: ['things/scale', 'things/*'] }],
    ['another version', { apiVersions: ['v2'] }],
  ])('leaves out rules for %s', async (_name, rule) => {
    const matchConstraints = { resourceRules: [{ ...things, ...rule }] };
    expect(await check([{ expression: 'object.foo' }], { matchConstraints })).toEqual([]);
  });

  it('looks at ten kinds at most', async () => {
    const apiGroups = Array.from({ length: 20 }, (_, index) => `g${index}.example.com`);
    const matchConstraints = { resourceRules: [{ ...things, apiGroups }] };
    const [first] = await check([{ expression: 'object.foo' }], { matchConstraints });
    expect(first!.warning.match(/ERROR/g)).toHaveLength(10);
  });

  it('copes with incomplete policies', async () => {
    expect(await checkPolicyTypes({ metadata: {} }, served)).toEqual([]);
    expect(await checkPolicyTypes({ metadata: {}, spec: { validations: [{}] } }, served)).toEqual([]);
  });
});
