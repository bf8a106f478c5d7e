import { expect, test } from 'vitest';
import { type Conflict, describeConflicts } from './conflict.ts';
import { FieldSet } from './field-set.ts';

const conflict = (manager: string, fields: unknown, rest: Partial<Conflict['owner']> = {}): Conflict => ({
  owner: {
    manager,
    operation: 'Apply',
    apiVersion: 'apps/v1',
    time: undefined,
    subresource: '',
    fields: FieldSet.empty,
    ...rest,
  },
  fields: FieldSet.parse(fields),
});
const replicas = { 'f:spec': { 'f:replicas': {} } };

test.each<[string, Conflict, string]>([
  ['an applier', conflict('a', replicas), 'conflict with "a"'],
  ['an updater', conflict('a', replicas, { operation: 'Update' }), 'conflict with "a" using apps/v1'],
  ['subresource', conflict('a', replicas, { subresource: 'status' }), 'conflict with "a" with subresource "status"'],
  [
    'an updater with a subresource',
    conflict('a', replicas, { operation: 'Update', subresource: 'scale' }),
    'conflict with "a" with subresource "scale" using apps/v1',
  ],
  ['a name with a quote', conflict('a"b', replicas), 'conflict with "a\\"b"'],
])('%s is named', (_title, one, message) => {
  expect(describeConflicts([one])).toEqual({
    message: `Apply failed with 1 conflict: ${message}: .spec.replicas`,
    causes: [{ reason: 'FieldManagerConflict', message, field: '.spec.replicas' }],
  });
});

test('conflicts are grouped by owner', () => {
  const image = { 'f:c': { 'k:{"name":"x"}': { 'f:image': {} } }, 'f:data': { 'f:b': {}, 'f:a': {} } };
  const { message, causes } = describeConflicts([
    conflict('b', image),
    conflict('a', replicas, { operation: 'Update' }),
  ]);
  expect(message).toBe(
    'Apply failed with 4 conflicts: conflicts with "a" using apps/v1:\n- .spec.replicas\nconflicts with "b":\n- .c[name="x"].image\n- .data.a\n- .data.b',
  );
  expect(causes.map(({ field }) => field)).toEqual(['.spec.replicas', '.c[name="x"].image', '.data.a', '.data.b']);
});
