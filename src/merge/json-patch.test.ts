import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/codec/cpu-time.ts';
import { jsonPatchFindings } from './index.ts';
import { applyJsonPatch } from './json-patch.ts';

const statusOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return (error as { status: unknown }).status;
  }
  throw new Error('nothing was refused');
};

const refused = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server rejected our request due to an error in our request',
  reason: 'Invalid',
  details: {},
  code: 422,
};

/** Title, document, operations, result. */
type Applied = [string, unknown, unknown[], unknown];

const add = (path: string, value?: unknown) => ({ op: 'add', path, ...(value !== undefined && { value }) });
const remove = (path: string) => ({ op: 'remove', path });
const replace = (path: string, value?: unknown) => ({ op: 'replace', path, ...(value !== undefined && { value }) });
const move = (from: string, path: string) => ({ op: 'move', from, path });
const copy = (from: string, path: string) => ({ op: 'copy', from, path });
const check = (path: string, value?: unknown) => ({ op: 'test', path, ...(value !== undefined && { value }) });

const applied: Applied[] = [
  ['nothing to do', { a: 1 }, [], { a: 1 }],
  [
    'copy: the copy changes',
    { a: { b: { c: 1 } } },
    [copy('/a', '/d'), add('/d/b/c', 2)],
    { a: { b: { c: 1 } }, d: { b: { c: 2 } } },
  ],
  [
    'copy: the source changes',
    { a: { b: { c: 1 } } },
    [copy('/a', '/d'), add('/a/b/c', 2)],
    { a: { b: { c: 2 } }, d: { b: { c: 1 } } },
  ],
  [
    'copy: of what was changed before, into itself',
    { a: { z: {} } },
    [add('/a/z/y', 1), copy('/a', '/a/b'), add('/a/z/y', 2), copy('/a/b', '/c'), add('/c/z/x', 3)],
    { a: { z: { y: 2 }, b: { z: { y: 1 } } }, c: { z: { x: 3, y: 1 } } },
  ],
  ['add: a member', { a: 1 }, [add('/b', 2)], { a: 1, b: 2 }],
  ['add: over a member', { a: 1 }, [add('/a', 2)], { a: 2 }],
  ['add: a member of another type', { a: 1 }, [add('/a', [2])], { a: [2] }],
  ['add: a nested object', { a: {} }, [add('/a/b', { c: { d: 1 } })], { a: { b: { c: { d: 1 } } } }],
  ['add: into what was added before', {}, [add('/a', {}), add('/a/b', 1)], { a: { b: 1 } }],
  ['add: null', { a: 1 }, [add('/b', null)], { a: 1, b: null }],
  ['add: no value is null', { a: 1 }, [add('/b')], { a: 1, b: null }],
  ['add: the empty key', {}, [add('/', 1)], { '': 1 }],
  ['add: a key that is a number', {}, [add('/0', 1)], { 0: 1 }],
  ['add: before the first element', [1, 2], [add('/0', 0)], [0, 1, 2]],
  ['add: between elements', ['a', 'c'], [add('/1', 'b')], ['a', 'b', 'c']],
  ['add: behind the last element by number', [1], [add('/1', 2)], [1, 2]],
  ['add: behind the last element by dash', [1], [add('/-', 2)], [1, 2]],
  ['add: to an empty list', { a: [] }, [add('/a/-', 1)], { a: [1] }],
  ['add: to an empty list by number', { a: [] }, [add('/a/0', 1)], { a: [1] }],
  ['add: a list is one element', [1], [add('/-', [2, 3])], [1, [2, 3]]],
  ['add: a negative index counts from behind the end', [1, 2], [add('/-1', 3)], [1, 2, 3]],
  ['add: the most negative index is the first', [1, 2], [add('/-3', 0)], [0, 1, 2]],
  ['add: a dash is a key of an object', {}, [add('/-', 1)], { '-': 1 }],
  ['add: into an object in a list', [{ a: 1 }], [add('/0/b', 2)], [{ a: 1, b: 2 }]],
  ['add: into a list in a list', [[1], [2]], [add('/1/0', 0)], [[1], [0, 2]]],
  ['add: twice at the same index', [3], [add('/0', 2), add('/0', 1)], [1, 2, 3]],
  ['remove: a member', { a: 1, b: 2 }, [remove('/a')], { b: 2 }],
  ['remove: a nested member', { a: { b: 1, c: 2 } }, [remove('/a/b')], { a: { c: 2 } }],
  ['remove: a member that is null', { a: null, b: 1 }, [remove('/a')], { b: 1 }],
  ['remove: the last member', { a: { b: 1 } }, [remove('/a/b')], { a: {} }],
  ['remove: the first element', [1, 2, 3], [remove('/0')], [2, 3]],
  ['remove: the last element', [1, 2, 3], [remove('/2')], [1, 2]],
  ['remove: from the end', [1, 2, 3], [remove('/-1')], [1, 2]],
  ['remove: farther from the end', [1, 2, 3], [remove('/-3')], [2, 3]],
  ['remove: indexes shift at once', [1, 2, 3], [remove('/0'), remove('/0')], [3]],
  ['remove: and put back', { a: 1 }, [remove('/a'), add('/a', 2)], { a: 2 }],
  ['remove: from a list in an object', { a: { b: [1, 2] } }, [remove('/a/b/0')], { a: { b: [2] } }],
  ['replace: a member', { a: 1 }, [replace('/a', 2)], { a: 2 }],
  ['replace: a missing member adds it', { a: 1 }, [replace('/b', 2)], { a: 1, b: 2 }],
  ['replace: with null', { a: 1 }, [replace('/a', null)], { a: null }],
  ['replace: with nothing is null', { a: 1 }, [replace('/a')], { a: null }],
  ['replace: an object by a scalar', { a: { b: 1 } }, [replace('/a', 'x')], { a: 'x' }],
  ['replace: an element', [1, 2], [replace('/1', 3)], [1, 3]],
  ['replace: the last element', [1, 2], [replace('/-1', 3)], [1, 3]],
  ['replace: the document', { a: 1 }, [replace('', { b: 2 })], { b: 2 }],
  ['replace: the document by a list', { a: 1 }, [replace('', [1])], [1]],
  ['replace: the document and go on', { a: 1 }, [replace('', { b: {} }), add('/b/c', 1)], { b: { c: 1 } }],
  ['move: to another key', { a: 1 }, [move('/a', '/b')], { b: 1 }],
  ['move: over another member', { a: 1, b: 2 }, [move('/a', '/b')], { b: 1 }],
  ['move: deeper', { a: 1, b: {} }, [move('/a', '/b/c')], { b: { c: 1 } }],
  ['move: up', { a: { b: 1 } }, [move('/a/b', '/b')], { a: {}, b: 1 }],
  ['move: where it is', { a: 1 }, [move('/a', '/a')], { a: 1 }],
  ['move: null', { a: null }, [move('/a', '/b')], { b: null }],
  ['move: an element forward', ['all', 'grass', 'cows', 'eat'], [move('/1', '/3')], ['all', 'cows', 'eat', 'grass']],
  ['move: an element backward', [1, 2, 3], [move('/2', '/0')], [3, 1, 2]],
  ['move: an element to the end', [1, 2, 3], [move('/0', '/-')], [2, 3, 1]],
  ['move: from a list into an object', { a: [1, 2] }, [move('/a/0', '/b')], { a: [2], b: 1 }],
  [
    'move: a changed object',
    { a: { b: 1 } },
    [add('/a/c', 2), move('/a', '/d'), add('/d/e', 3)],
    { d: { b: 1, c: 2, e: 3 } },
  ],
  ['copy: to another key', { a: 1 }, [copy('/a', '/b')], { a: 1, b: 1 }],
  [
    'copy: an object is not shared',
    { a: { x: 1 } },
    [copy('/a', '/b'), add('/b/y', 2)],
    { a: { x: 1 }, b: { x: 1, y: 2 } },
  ],
  [
    'copy: a changed object is not shared',
    { a: {} },
    [add('/a/x', 1), copy('/a', '/b'), add('/a/y', 2)],
    { a: { x: 1, y: 2 }, b: { x: 1 } },
  ],
  ['copy: into itself', { a: { b: 1 } }, [copy('/a', '/a/c')], { a: { b: 1, c: { b: 1 } } }],
  ['copy: an element in its list', [1, 2], [copy('/0', '/-')], [1, 2, 1]],
  ['copy: inserts', [1, 2], [copy('/1', '/0')], [2, 1, 2]],
  ['copy: long integers', { a: [2n ** 62n] }, [copy('/a', '/b')], { a: [2n ** 62n], b: [2n ** 62n] }],
  [
    'copy: a key that looks like the prototype',
    JSON.parse('{"a":{"__proto__":1}}'),
    [copy('/a', '/b')],
    JSON.parse('{"a":{"__proto__":1},"b":{"__proto__":1}}'),
  ],
  ['copy: a missing member is null', { a: 1 }, [copy('/b', '/c')], { a: 1, c: null }],
  ['test: a string', { a: 'x' }, [check('/a', 'x')], { a: 'x' }],
  ['test: a number', { a: 10 }, [check('/a', 10)], { a: 10 }],
  ['test: a boolean', { a: false }, [check('/a', false)], { a: false }],
  ['test: null', { a: null }, [check('/a', null)], { a: null }],
  ['test: no value is null', { a: null }, [check('/a')], { a: null }],
  ['test: a missing member is null', { a: 1 }, [check('/b', null)], { a: 1 }],
  ['test: an object in any order', { a: { x: 1, y: [2] } }, [check('/a', { y: [2], x: 1 })], { a: { x: 1, y: [2] } }],
  ['test: a list', { a: [1, { b: 2 }] }, [check('/a', [1, { b: 2 }])], { a: [1, { b: 2 }] }],
  ['test: an element', [1, 2], [check('/1', 2)], [1, 2]],
  ['test: a number by its value', { a: 1, b: 100 }, [check('/a', 1.0), check('/b', 1e2)], { a: 1, b: 100 }],
  ['test: a zero of either sign', { a: 0 }, [check('/a', -0)], { a: 0 }],
  ['test: a long integer', { a: 2n ** 62n }, [check('/a', 2n ** 62n)], { a: 2n ** 62n }],
  ['test: the document', { a: 1 }, [check('', { a: 1 })], { a: 1 }],
  ['test: what was done before', { a: 1 }, [replace('/a', 2), check('/a', 2)], { a: 2 }],
  ['paths: a slash in a key', {}, [add('/a~1b', 1)], { 'a/b': 1 }],
  ['paths: a tilde in a key', {}, [add('/m~0n', 1)], { 'm~n': 1 }],
  ['paths: an escaped tilde before a one', {}, [add('/~01', 1)], { '~1': 1 }],
  ['paths: escapes on the way', { 'a/b': { 'c~d': {} } }, [add('/a~1b/c~0d/e', 1)], { 'a/b': { 'c~d': { e: 1 } } }],
  ['paths: other characters stand for themselves', {}, [add('/ %25"\\^|', 1)], { ' %25"\\^|': 1 }],
  ['paths: empty keys on the way', { '': { '': {} } }, [add('///x', 1)], { '': { '': { x: 1 } } }],
  ['paths: text before the first slash is skipped', {}, [add('data/a', 1)], { a: 1 }],
  ['paths: an index with zeros', [1, 2], [remove('/01')], [1]],
  ['paths: an index with a plus', [1, 2], [remove('/+1')], [1]],
  ['paths: a negative index on the way', [{ a: 1 }, { a: 2 }], [replace('/-1/a', 3)], [{ a: 1 }, { a: 3 }]],
  ['members that no operation has are ignored', {}, [{ ...add('/a', 1), foo: 2 }], { a: 1 }],
  ['members of the prototype are no members', {}, [check('/constructor', null), add('/toString', 1)], { toString: 1 }],
];

test.each(applied)('%s', (_title, document, operations, result) => {
  const before = structuredClone([document, operations]);
  expect(applyJsonPatch(document, operations)).toEqual(result);
  expect([document, operations]).toEqual(before);
});

/** Title, document, operations. */
type Refused = [string, unknown, unknown[]];

const refusals: Refused[] = [
  ['add: without a parent', { a: 1 }, [add('/b/c', 1)]],
  ['add: below a scalar', { a: 1 }, [add('/a/b', 1)]],
  ['add: below null', { a: null }, [add('/a/b', 1)]],
  ['add: below a string', { a: 'text' }, [add('/a/0', 'x')]],
  ['add: the document', {}, [add('', {})]],
  ['add: behind the end', [1], [add('/2', 3)]],
  ['add: before the start', [1], [add('/-3', 0)]],
  ['add: a word as index', [1], [add('/x', 2)]],
  ['add: a fraction as index', [1, 2], [add('/1.0', 2)]],
  ['add: an exponent as index', [1, 2], [add('/1e0', 2)]],
  ['add: the empty index', [1], [add('/', 2)]],
  ['add: a dash on the way', [[1]], [add('/-/0', 2)]],
  ['remove: a missing member', { a: 1 }, [remove('/b')]],
  ['remove: a missing element', [1], [remove('/1')]],
  ['remove: behind the end by dash', [1], [remove('/-')]],
  ['remove: too far from the end', [1], [remove('/-2')]],
  ['remove: the document', { a: 1 }, [remove('')]],
  ['remove: twice', { a: 1 }, [remove('/a'), remove('/a')]],
  ['remove: a member of the prototype', {}, [remove('/constructor')]],
  ['replace: a missing element', [1], [replace('/1', 2)]],
  ['replace: without a parent', {}, [replace('/a/b', 2)]],
  ['replace: the document by a scalar', {}, [replace('', 5)]],
  ['move: a missing member', { a: 1 }, [move('/b', '/c')]],
  ['move: into itself', { a: { b: {} } }, [move('/a', '/a/b/c')]],
  ['move: the document', { a: 1 }, [move('', '/b')]],
  ['move: without a source', { a: 1 }, [{ op: 'move', path: '/b' }]],
  ['move: to nowhere', { a: 1 }, [move('/a', '/b/c')]],
  ['copy: from nowhere', { a: 1 }, [copy('/b/c', '/d')]],
  ['copy: a missing element', [1], [copy('/1', '/-')]],
  ['copy: the document', { a: 1 }, [copy('', '/b')]],
  ['copy: without a source', { a: 1 }, [{ op: 'copy', path: '/b' }]],
  ['test: another value', { a: 1 }, [check('/a', 2)]],
  ['test: a long integer that is another one', { a: 2n ** 62n }, [check('/a', 2n ** 62n + 1n)]],
  ['test: members that are null count', { a: { x: null } }, [check('/a', {})]],
  ['test: a member of the prototype', { a: {} }, [check('/a', { constructor: 1 })]],
  ['test: a string is no number', { a: '1' }, [check('/a', 1)]],
  ['test: null is no false', { a: false }, [check('/a', null)]],
  ['test: an object with more members', { a: { x: 1 } }, [check('/a', { x: 1, y: 2 })]],
  ['test: an object with fewer members', { a: { x: 1, y: 2 } }, [check('/a', { x: 1 })]],
  ['test: a list in another order', { a: [1, 2] }, [check('/a', [2, 1])]],
  ['test: a list is no object', { a: [] }, [check('/a', {})]],
  ['test: a missing member with a value', {}, [check('/a', 'x')]],
  ['test: a missing element', [1], [check('/1', null)]],
  ['test: no value where there is one', { a: 1 }, [check('/a')]],
  ['an unknown operation', { a: 1 }, [{ op: 'spam', path: '/a' }]],
  ['an operation in capitals', { a: 1 }, [{ op: 'ADD', path: '/a', value: 1 }]],
  ['no operation', { a: 1 }, [{ path: '/a', value: 1 }]],
  ['no path', { a: 1 }, [{ op: 'add', value: 1 }]],
  ['a null path', { a: 1 }, [{ op: 'add', path: null, value: 1 }]],
  ['a null operation', { a: 1 }, [null]],
  ['the last of several', { a: 1 }, [add('/b', 1), add('/c', 1), remove('/d')]],
];

test.each(refusals)('rejected: %s', (_title, document, operations) => {
  const before = structuredClone([document, operations]);
  expect(statusOf(() => applyJsonPatch(document, operations))).toEqual(refused);
  expect([document, operations]).toEqual(before);
});

describe('malformed patches', () => {
  test.each([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [['a'], 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [[[]], 'error decoding patch: json: cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 'add', path: 5 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
    [
      [{ op: true }],
      'error decoding patch: json: cannot unmarshal bool into Go struct field jsonPatchOp.op of type string',
    ],
  ])('%j', (patch, message) => {
    expect(statusOf(() => applyJsonPatch({}, patch))).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  test('without validation errors have other messages and a bad path fails later', () => {
    const options = { fieldValidation: 'Ignore' } as const;
    const message = 'json: cannot unmarshal object into Go value of type jsonpatch.Patch';
    expect(statusOf(() => applyJsonPatch({}, {}, options))).toMatchObject({ code: 400, message });
    expect(statusOf(() => applyJsonPatch({}, [{ op: 'add', path: 5 }], options))).toEqual(refused);
  });

  test('null is a patch without operations', () => {
    expect(applyJsonPatch({ a: 1 }, null)).toEqual({ a: 1 });
  });

  test('unknown members of operations are reported', () => {
    const patch = [
      { op: 'add', path: '/a', value: { x: 1 } },
      { op: 'remove', path: '/a', foo: 1, 'b"': 2 },
    ];
    expect(jsonPatchFindings(patch)).toEqual([
      'json patch unknown field "[1].foo"',
      'json patch unknown field "[1].b\\""',
    ]);
  });
});

describe('limits', () => {
  test('the number of operations', () => {
    const operations = Array.from({ length: 10_001 }, () => check('/a', 1));
    expect(applyJsonPatch({ a: 1 }, operations.slice(1))).toEqual({ a: 1 });
    expect(statusOf(() => applyJsonPatch({ a: 1 }, operations))).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test('the total size of copied values', () => {
    // Three strings of 1 MiB exceed the limit only because of their quotes.
    const document = { a: 'x'.repeat(1024 * 1024) };
    const copies = [copy('/a', '/b'), copy('/a', '/c')];
    expect(Object.keys(applyJsonPatch(document, copies) as object)).toEqual(['a', 'b', 'c']);
    expect(statusOf(() => applyJsonPatch(document, [...copies, copy('/a', '/d')]))).toEqual(refused);
  });

  test('many operations on a large map are fast', () => {
    const document = { data: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'v'])) };
    const operations = Array.from({ length: 10_000 }, (_, index) => replace(`/data/k${index}`, 'w'));
    const start = process.cpuUsage();
    const result = applyJsonPatch(document, operations) as typeof document;
    // Copying the map for each operation would take more than a minute.
    expect(cpuTime(start)).toBeLessThan(10_000);
    expect(Object.values(result.data).filter((value) => value === 'w')).toHaveLength(10_000);
  });
});

describe('the result', () => {
  test('shares unchanged parts', () => {
    const document = { a: { x: 1 }, b: { y: [1] } };
    const result = applyJsonPatch(document, [add('/a/z', 1)]) as typeof document;
    expect(result.b).toBe(document.b);
    expect(result.a).not.toBe(document.a);
  });

  test('has sorted keys in all patched objects', () => {
    const document = { z: { d: 1, c: 1 }, m: { d: 1, c: 1 }, a: 1 };
    const text = JSON.stringify(applyJsonPatch(document, [add('/m/a', 1)]));
    expect(text).toBe('{"a":1,"m":{"a":1,"c":1,"d":1},"z":{"d":1,"c":1}}');
  });

  test('a key named __proto__ is data', () => {
    const patch = JSON.parse(
      '[{"op":"add","path":"/__proto__","value":{"polluted":1}},{"op":"add","path":"/__proto__/b","value":2}]',
    );
    const result = applyJsonPatch({}, patch) as object;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"b":2,"polluted":1}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('members with an undefined value are absent', () => {
    const document = { metadata: { name: 'x', labels: undefined } };
    expect(statusOf(() => applyJsonPatch(document, [remove('/metadata/labels')]))).toEqual(refused);
    expect(applyJsonPatch(document, [check('/metadata', { name: 'x' })])).toEqual(document);
  });
});

/** Title, document, operation, reason. */
const failures: [string, unknown, unknown, string][] = [
  ['add', { a: 1 }, add('/b/c', 1), 'add operation does not apply: doc is missing path: "/b/c": missing value'],
  [
    'add to a list',
    { a: [] },
    add('/a/1', 1),
    "error in add for path: '/a/1': Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    'add to a list by name',
    { a: [] },
    add('/a/x', 1),
    `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    'remove',
    { a: 1 },
    remove('/b'),
    "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value",
  ],
  [
    'remove below nothing',
    {},
    remove('/b/c'),
    'remove operation does not apply: doc is missing path: "/b/c": missing value',
  ],
  ['remove everything', {}, remove(''), 'remove operation does not apply: doc is missing path: "": missing value'],
  [
    'remove from a list',
    { a: [] },
    remove('/a/0'),
    "error in remove for path: '/a/0': Unable to access invalid index: 0: invalid index referenced",
  ],
  ['replace', {}, replace('/b/c', 1), 'replace operation does not apply: doc is missing path: /b/c: missing value'],
  [
    'replace in a list',
    { a: [] },
    replace('/a/0', 1),
    'replace operation does not apply: doc is missing key: /a/0: missing value',
  ],
  ['move', {}, move('/a/b', '/c'), 'move operation does not apply: doc is missing from path: /a/b: missing value'],
  [
    'move of nothing',
    {},
    move('/a', '/c'),
    "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    'move to nowhere',
    { a: 1 },
    move('/a', '/c/d'),
    'move operation does not apply: doc is missing destination path: /c/d: missing value',
  ],
  ['copy', {}, copy('/a/b', '/c'), 'copy operation does not apply: doc is missing from path: /a/b: missing value'],
  [
    'copy to nowhere',
    { a: 1 },
    copy('/a', '/c/d'),
    'copy operation does not apply: doc is missing destination path: /c/d: missing value',
  ],
  ['test', { a: 1 }, check('/a', 2), 'testing value /a failed: test failed'],
  ['test below nothing', {}, check('/a/b', 2), 'test operation does not apply: is missing path: /a/b: missing value'],
  ['no path', {}, { op: 'add' }, 'add operation failed to decode path: missing value'],
  ['another operation', {}, { op: 'merge', path: '/a' }, 'Unexpected kind: merge'],
];

test.each(failures)('the reason of a failure: %s', (_title, document, operation, reason) => {
  let cause: unknown;
  try {
    applyJsonPatch(document, [operation]);
  } catch (error) {
    ({ cause } = error as Error);
  }
  expect((cause as Error | undefined)?.message).toBe(reason);
});
