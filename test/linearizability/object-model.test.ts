import { expect, it } from 'vitest';
import { checkHistory } from './check-history.ts';
import { checkVersions } from './check-versions.ts';
import {
  type ObjectContent,
  type ObjectInput,
  type ObjectOperation,
  type ObjectOutput,
  objectModel,
} from './object-model.ts';

const namespace = 'ns';
type InputInNamespace = ObjectInput extends infer Input
  ? Input extends ObjectInput
    ? Omit<Input, 'namespace'>
    : never
  : never;
type Step = readonly [input: InputInNamespace, output: ObjectOutput | undefined];

const content = (version: number, value: string, uid = 'one'): ObjectContent => ({ uid, version, data: { value } });
const object = (version: number, value: string, uid?: string): ObjectOutput => {
  return { kind: 'object', object: content(version, value, uid) };
};
const list = (version: number, items: Record<string, ObjectContent>): ObjectOutput => {
  return { kind: 'list', version, items: new Map(Object.entries(items)) };
};
const absent: ObjectOutput = { kind: 'absent' };
const conflict: ObjectOutput = { kind: 'conflict' };
const exists: ObjectOutput = { kind: 'exists' };
const deleted: ObjectOutput = { kind: 'deleted', uid: 'one' };

const get: InputInNamespace = { verb: 'get', name: 'a' };
const all: InputInNamespace = { verb: 'list' };
const create = (value: string, name = 'a'): InputInNamespace => ({ verb: 'create', name, data: { value } });
const update = (value: string, version?: number): InputInNamespace => {
  return { verb: 'update', name: 'a', data: { value }, ...(version !== undefined && { version }) };
};
const patch = (value: string): InputInNamespace => ({ verb: 'patch', name: 'a', data: { value } });
const remove = (preconditions: { version?: number; uid?: string } = {}): InputInNamespace => {
  return { verb: 'delete', name: 'a', ...preconditions };
};

const created: Step = [create('x'), object(5, 'x')];

/** Steps that are possible one after the other. */
const possible: [what: string, ...steps: Step[]][] = [
  [
    'nothing there',
    [get, absent],
    [remove(), absent],
    [patch('x'), absent],
    [update('x', 3), absent],
    [all, list(7, {})],
  ],
  ['a creation', created, [get, object(5, 'x')], [create('y'), exists], [all, list(9, { a: content(5, 'x') })]],
  ['updates', created, [update('y', 5), object(6, 'y')], [update('z'), object(9, 'z')], [update('z', 6), conflict]],
  ['an update that creates', [update('x'), object(5, 'x')], [get, object(5, 'x')]],
  ['a patch', created, [patch('y'), object(6, 'y')]],
  ['deletions', created, [remove({ version: 4 }), conflict], [remove({ uid: 'two' }), conflict], [remove(), deleted]],
  ['a new object', created, [remove({ uid: 'one' }), deleted], [create('x'), object(7, 'x', 'two')]],
  ['a lost creation', [create('x'), undefined], [get, absent], [get, object(5, 'x')], [update('y', 5), object(6, 'y')]],
  [
    'a lost update between others',
    created,
    [update('y'), undefined],
    [update('z'), object(9, 'z')],
    [get, object(9, 'z')],
  ],
  ['a lost deletion', created, [remove(), undefined], [get, object(5, 'x')], [get, absent]],
  [
    'a lost update, seen late',
    created,
    [patch('y'), undefined],
    [create('z', 'b'), object(9, 'z')],
    [get, object(8, 'y')],
  ],
];

const impossible: [what: string, ...steps: Step[]][] = [
  ['a creation that another has made', created, [create('y'), object(6, 'y')]],
  ['that it exists, which it does not', [create('y'), exists]],
  ['a wrong value', created, [get, object(5, 'y')]],
  ['a wrong version', created, [get, object(6, 'x')]],
  ['another object under its name', created, [get, object(5, 'x', 'two')]],
  ['an update of an older version', created, [update('y', 4), object(6, 'y')]],
  ['two updates of one version', created, [update('y', 5), object(6, 'y')], [update('z', 5), object(7, 'z')]],
  ['a conflict without reason', created, [update('y', 5), conflict]],
  ['a conflict without precondition', created, [update('y'), conflict]],
  ['an update with a version that is not higher', created, [update('y'), object(5, 'y')]],
  ['a lost update', created, [update('y'), object(6, 'y')], [get, object(5, 'x')]],
  ['an object after its deletion', created, [remove(), deleted], [get, object(5, 'x')]],
  ['a deletion of another one', created, [remove(), { kind: 'deleted', uid: 'two' }]],
  ['a creation with the version of a deletion', created, [remove(), deleted], [create('y'), object(6, 'y', 'two')]],
  ['a list that lacks one', created, [all, list(5, {})]],
  ['a list of before', created, [all, list(4, { a: content(5, 'x') })]],
  ['a write that the list before had to show', [all, list(9, {})], [create('x'), object(8, 'x')]],
  ['a list of two moments', created, [create('y', 'b'), object(6, 'y')], [all, list(7, { b: content(6, 'y') })]],
  [
    'a lost update that is seen twice',
    created,
    [update('y'), undefined],
    [get, object(6, 'y')],
    [update('z'), object(7, 'z')],
    [get, object(8, 'y')],
  ],
  [
    'a lost update with a version of later',
    created,
    [patch('y'), undefined],
    [get, object(6, 'y')],
    [create('z', 'b'), object(6, 'z')],
  ],
];

function historyOf(steps: readonly Step[]): ObjectOperation[] {
  return steps.map(([input, output], index) => {
    const returned = output === undefined ? Number.POSITIVE_INFINITY : 2 * index + 1;
    return { client: 'client', input: { ...input, namespace } as ObjectInput, output, invoked: 2 * index, returned };
  });
}

it.each(possible)('%s is possible', (_, ...steps) => {
  expect(checkHistory({ model: objectModel, operations: historyOf(steps) }).verdict).toBe('linearizable');
});

it.each(impossible)('%s is impossible', (_, ...steps) => {
  expect(checkHistory({ model: objectModel, operations: historyOf(steps) }).verdict).toBe('violation');
});

it('versions of different namespaces are in the order of time', () => {
  const [first, second] = historyOf([created, [all, list(4, {})]]);
  const elsewhere = { ...second!, input: { verb: 'list', namespace: 'other' } as const };
  expect(() => checkVersions([first!, elsewhere])).toThrow('versions went back');
  expect(() => checkVersions([first!, { ...elsewhere, invoked: 0 }])).not.toThrow();
});
