import { expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { runSync } from '../../meta/turns.ts';
import { validatingPolicyRules } from './validating-policy-rules.ts';

const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
};
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };

function errorsOf(spec: object): string[] {
  const object = { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } };
  return runSync(validatingPolicyRules.validateSteps!(object, { oldObject: undefined, endpoint: 'main' })).map(
    fieldErrorText,
  );
}

const passes = [{ expression: 'true' }];
const authorized = "authorizer.requestResource.check('get').allowed()";

it.each<[name: string, spec: object]>([
  [
    'a variable in all expressions',
    {
      variables: [
        { name: 'a', expression: 'object.spec' },
        { name: 'b', expression: "'x' + string(variables.a.n)" },
      ],
      validations: [{ expression: "variables.b == 'x1'", messageExpression: 'variables.b' }],
      auditAnnotations: [{ key: 'k', valueExpression: 'variables.b' }],
    },
  ],
  [
    'params of a policy with a kind of them',
    {
      paramKind,
      matchConditions: [{ name: 'c', expression: 'params != null' }],
      variables: [{ name: 'a', expression: 'params.data' }],
      validations: [{ expression: 'params == null', messageExpression: 'string(params.data.x)' }],
      auditAnnotations: [{ key: 'k', valueExpression: 'string(params.data.x)' }],
    },
  ],
  [
    'the authorizer',
    {
      matchConditions: [{ name: 'c', expression: authorized }],
      variables: [{ name: 'a', expression: authorized }],
      validations: [{ expression: authorized, messageExpression: "variables.a ? 'a' : 'b'" }],
      auditAnnotations: [{ key: 'k', valueExpression: `string(${authorized})` }],
    },
  ],
  [
    'the namespace and the request',
    {
      validations: [
        { expression: "namespaceObject.metadata.labels['a'] == 'b' && namespaceObject.status.phase == 'Active'" },
        { expression: "request.userInfo.groups.exists(g, g == 'x') && request.requestKind.kind == 'Pod'" },
      ],
    },
  ],
  ['an annotation without a value', { auditAnnotations: [{ key: 'k', valueExpression: 'null' }] }],
])('accepts %s', (_name, spec) => {
  expect(errorsOf(spec)).toEqual([]);
});

it.each<[spec: object, errors: string[]]>([
  [
    { validations: [{ expression: '1 +' }] },
    ['spec.validations[0].expression: Invalid value: "1 +": compilation failed: '],
  ],
  [
    { validations: [{ expression: 'int(1e99) == 1' }, { expression: 'int(1e99)' }] },
    ['Internal error: program instantiation failed: integer overflow', 'must evaluate to bool but got int'],
  ],
  [{ validations: [{ expression: "[object.a, 'a'] == []" }] }, ["expected type 'dyn' but found 'string'"]],
  [{ validations: [{ expression: "'%d'.format(['a']) == ''" }] }, ['decimal clause can only be used on integers']],
  [{ validations: [{ expression: 'cel.bind(a, object, a == 1)' }] }, ["undeclared reference to 'cel'"]],
  [{ validations: [{ expression: 'object.spec.flag' }] }, ['must evaluate to bool but got dyn']],
  [{ validations: [{ expression: 'null' }] }, ['must evaluate to bool but got null_type']],
  [{ validations: [{ expression: "timestamp('2020-01-01T00:00:00Z')" }] }, ['bool but got google.protobuf.Timestamp']],
  [{ validations: [{ expression: 'variables.a' }] }, ["undefined field 'a'"]],
  [{ validations: [{ expression: 'request.uid == ""' }] }, ["undefined field 'uid'"]],
  [{ validations: [{ expression: 'namespaceObject.metadata.uid == ""' }] }, ["undefined field 'uid'"]],
  [{ validations: [{ expression: 'params.a == 1' }] }, ["undeclared reference to 'params'"]],
  [{ validations: [{ expression: 'true', messageExpression: authorized }] }, ["undeclared reference to 'authorizer'"]],
  [{ validations: [{ expression: 'true', messageExpression: 'object.a' }] }, ['must evaluate to string but got dyn']],
  [
    { validations: passes, matchConditions: [{ name: 'c', expression: 'variables.a' }] },
    ["undeclared reference to 'variables'"],
  ],
  [
    { validations: passes, matchConditions: [{ name: 'c', expression: 'params.a' }] },
    ["undeclared reference to 'params'"],
  ],
  [
    {
      validations: passes,
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '1' },
      ],
    },
    [
      'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'',
    ],
  ],
  [
    { variables: [{ name: 'a', expression: '1' }], validations: [{ expression: "variables.a == 'x'" }] },
    ["found no matching overload for '_==_' applied to '(int, string)'"],
  ],
  [
    { variables: [{ name: 'a', expression: '(' }], validations: [{ expression: "variables.a == 'x'" }] },
    ['spec.variables[0].expression: Invalid value: "(": compilation failed'],
  ],
  [
    { auditAnnotations: [{ key: 'k', valueExpression: 'object.a' }] },
    ['must evaluate to one of [string null_type] but got dyn'],
  ],
])('refuses %j', (spec, errors) => {
  expect(errorsOf(spec)).toEqual(errors.map((error) => expect.stringContaining(error)));
});
