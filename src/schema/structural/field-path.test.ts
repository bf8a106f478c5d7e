import { describe, expect, it } from 'vitest';
import { findField } from './field-path.ts';
import type { JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const root: JsonSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { flag: text, 'a key': text } },
    labels: { type: 'object', additionalProperties: text },
    free: { type: 'object' },
  },
};

describe('findField', () => {
  it.each([
    ['.spec.flag', ['spec', 'flag'], 'spec.flag'],
    [".spec['a key']", ['spec', 'a key'], 'spec.a key'],
    ['.labels.team', ['labels', 'team'], 'labels[team]'],
    ['.free', ['free'], 'free'],
  ])('follows %s', (path, names, text) => {
    expect(findField(path, root, { indexes: true })).toMatchObject({ names, text });
  });

  it.each([
    ['spec', 'expected [ or . but got: spec'],
    ['.', 'unexpected end of JSON path'],
    ['.spec.', 'unexpected end of JSON path'],
    ['.spec.none', 'does not refer to a valid field'],
    ['.free.any', 'does not refer to a valid field'],
    ['.spec[0]', 'expected single quoted string but got 0'],
    [".spec['flag'", 'unexpected end of JSON path'],
    ['.spec.constructor', 'does not refer to a valid field'],
  ])('refuses %s', (path, problem) => expect(findField(path, root, { indexes: true })).toBe(problem));

  it('refuses brackets when indexes are not allowed', () => {
    expect(findField(".spec['flag']", root, { indexes: false })).toBe('array notation is not allowed');
  });
});
