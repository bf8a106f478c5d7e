import { describe, expect, it } from 'vitest';
import { permissionOf, roleMatrix } from './rules.ts';

const rules = [
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
  { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
  { verbs: ['update'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'] },
  { verbs: ['get'], nonResourceURLs: ['/metrics'] },
];

describe('permissionOf', () => {
  it.each([
    ['', 'pods', 'get', 'all'],
    ['', 'pods', 'delete', 'none'],
    ['apps', 'deployments', 'delete', 'all'],
    ['', 'configmaps', 'update', 'some'],
    ['batch', 'jobs', 'get', 'none'],
  ])('%s/%s %s: %s', (group, resource, verb, expected) => {
    expect(permissionOf(rules, { group, resource, verb })).toBe(expected);
  });
});

describe('roleMatrix', () => {
  it('has a row for each subject and a column for each role', () => {
    const matrix = roleMatrix([
      {
        metadata: { name: 'x' },
        roleRef: { kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'User', name: 'ann' },
          { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' },
        ],
      },
      {
        metadata: { name: 'y', namespace: 'shop' },
        roleRef: { kind: 'Role', name: 'edit' },
        subjects: [{ kind: 'User', name: 'ann' }],
      },
      { metadata: { name: 'nobody' }, roleRef: { kind: 'Role', name: 'unused' } },
    ]);
    expect(matrix.roles).toEqual(['ClusterRole view', 'Role edit']);
    expect(matrix.rows.map(({ subject, bindings }) => [subject, [...bindings.keys()]])).toEqual([
      ['ServiceAccount shop/bot', ['ClusterRole view']],
      ['User ann', ['ClusterRole view', 'Role edit']],
    ]);
  });
});
