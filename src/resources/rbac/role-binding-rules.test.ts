import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { roleBindingRules } from './role-binding-rules.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const metadata = { name: 'b' };
const oldObject = { metadata, roleRef: { apiGroup, kind: 'Role', name: 'r' } };

describe('a changed binding', () => {
  it.each([
    ['the same role', oldObject.roleRef, []],
    [
      'another role',
      { ...oldObject.roleRef, name: 's' },
      [`roleRef: Invalid value: {"APIGroup":"${apiGroup}","Kind":"Role","Name":"s"}: cannot change roleRef`],
    ],
    [
      'no role',
      { apiGroup },
      [
        'roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"',
        'roleRef.name: Required value',
        `roleRef: Invalid value: {"APIGroup":"${apiGroup}","Kind":"","Name":""}: cannot change roleRef`,
      ],
    ],
  ])('to %s', (_about, roleRef, errors) => {
    const { validate, validateUpdate } = roleBindingRules;
    const next = { metadata, roleRef };
    expect([...validate!(next), ...validateUpdate!(next, oldObject)].map(fieldErrorText)).toEqual(errors);
  });
});
