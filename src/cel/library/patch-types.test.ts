import { describe, expect, it } from 'vitest';
import { CelError } from '../cel-error.ts';
import { dynType, mapType, stringType } from '../checker/cel-type.ts';
import { compileExpression } from '../compile-expression.ts';
import { CelMessage } from '../evaluate/adopt-json.ts';
import { jsonOf } from '../evaluate/json-of.ts';
import { patchFunctions, patchTypes } from './patch-types.ts';

const variables = { object: dynType, labels: mapType(stringType, stringType) };
const values = { object: { spec: { replicas: 3, names: ['a'] } }, labels: { a: 'b' } };

const compiled = (text: string) =>
  compileExpression(text, { variables, functions: patchFunctions, messages: patchTypes });
const json = (text: string): unknown => jsonOf(compiled(text).evaluate(values).value);

function problem(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
  return 'none';
}

describe('objects of mutations', () => {
  it.each<[string, unknown]>([
    ['Object{}', {}],
    ['Object{spec: Object.spec{replicas: 3}}', { spec: { replicas: 3 } }],
    ['Object{metadata: Object.metadata{labels: {"a": "b"}}}', { metadata: { labels: { a: 'b' } } }],
    ['Object{spec: Object.spec{names: ["a", "b"].map(n, n + "!")}}', { spec: { names: ['a!', 'b!'] } }],
    ['Object{spec: object.spec}', { spec: { replicas: 3, names: ['a'] } }],
    ['Object{spec: Object.spec{?replicas: object.?spec.?replicas, ?none: object.?none}}', { spec: { replicas: 3 } }],
    ['Object{namespace: "n", b: 1.5}', { namespace: 'n', b: 1.5 }],
    ['Object{__proto__: 1}', JSON.parse('{"__proto__": 1}')],
    ['[JSONPatch{op: "add", path: "/a", value: {"b": [1, 2]}}]', [{ op: 'add', path: '/a', value: { b: [1, 2] } }]],
    ['[JSONPatch{op: "move", from: "/a", path: "/b"}].map(p, p.from + p.path)', ['/a/b']],
    ['[JSONPatch{op: "remove", path: "/a"}].filter(p, has(p.value))', []],
    ['JSONPatch{op: "test", path: "/a", value: null}', { op: 'test', path: '/a', value: null }],
    ['jsonpatch.escapeKey("k8s.io/my~label")', 'k8s.io~1my~0label'],
    ['Object.a{b: 1} == Object.a{b: 1}', true],
    ['dyn(Object.a{b: 1}) == dyn(Object.c{b: 1})', false],
    ['dyn(Object{b: 1}) == dyn({"b": 1})', false],
    ['type(Object.a{}) == Object.a', true],
    ['[dyn(9007199254740993), dyn(3u)]', [9007199254740993n, 3]],
    [
      '[dyn(duration("90s")), dyn(timestamp("2020-01-01T00:00:00Z")), dyn(b"x")]',
      ['90s', '2020-01-01T00:00:00Z', 'eA=='],
    ],
  ])('%s', (text, expected) => {
    expect(json(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['Object{}', 'Object'],
    ['Object.spec{}', 'Object.spec'],
    ['[JSONPatch{op: "add", path: "/a", value: 1}]', 'list(JSONPatch)'],
    ['has(object.x) ? [JSONPatch{op: "remove", path: "/x"}] : []', 'list(JSONPatch)'],
    ['[]', 'list(dyn)'],
    ['Object{}.anything', 'dyn'],
  ])('the type of %s', (text, type) => {
    expect(compiled(text).resultType).toBe(type);
  });

  it('keeps the types of objects, so that they can be compared with their places', () => {
    const { value } = compiled('Object{spec: [Object.wrong{}]}').evaluate(values);
    expect(value).toBeInstanceOf(CelMessage);
    const spec = (value as CelMessage).fields.get('spec') as readonly CelMessage[];
    expect(spec[0]!.typeName).toBe('Object.wrong');
  });

  it.each<[string, string]>([
    ['Objekt{}', "<input>:1:7: undeclared reference to 'Objekt' (in container '')"],
    ['JSONPatch{op: 1}', "<input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'"],
    ['JSONPatch{verb: "add"}', "<input>:1:15: undefined field 'verb'"],
    ['labels{a: 1}', "<input>:1:7: 'map(string, string)' is not a type"],
    ['int{a: 1}', "<input>:1:4: 'int' is not a message type"],
    ['Object{?a: 1}', "<input>:1:12: expected type 'optional_type(int)' but found 'int'"],
    ['Object{a: nothing}', "<input>:1:11: undeclared reference to 'nothing' (in container '')"],
    ['jsonpatch.escapeKey(1)', "found no matching overload for 'jsonpatch.escapeKey' applied to '(int)'"],
  ])('refuses %s', (text, message) => {
    expect(problem(() => compiled(text))).toContain(message);
  });

  it('knows no objects without their types', () => {
    expect(problem(() => compileExpression('Object{}', { variables }))).toContain("undeclared reference to 'Object'");
  });

  it.each<[string, string]>([
    ['JSONPatch{op: object.spec.replicas}', "unexpected type int for JSONPatch 'op' field"],
    ['Object{a: {1: 2}}', "map key '1' is of type int, not string"],
    ['[double("NaN")]', 'NaN has no form in JSON'],
    ['Object{a: object.missing}', 'no such key: missing'],
  ])('fails to evaluate %s', (text, message) => {
    expect(problem(() => json(text))).toBe(message);
  });

  it('counts the cost of objects', () => {
    expect(compiled('Object{a: Object.a{}}').evaluate(values).cost).toBe(80);
    expect(compiled('Object{a: Object.a{}}').estimatedCost).toEqual({ min: 80, max: 80 });
    expect(compiled('jsonpatch.escapeKey("12345678901")').evaluate(values).cost).toBe(2);
  });
});
