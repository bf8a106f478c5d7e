import { expect, it } from 'vitest';
import { celLiteralType } from './cel-literal.ts';

it.each([
  ['true', 'bool'],
  ['null', 'null_type'],
  ['-12', 'int'],
  ['0xFF', 'int'],
  ['3u', 'uint'],
  ['1.5e3', 'double'],
  ['"a \\" b"', 'string'],
  ["'x'", 'string'],
  ['b"x"', 'bytes'],
  ['"a" + "b"', undefined],
  ['object.spec', undefined],
  ['1 == 1', undefined],
  ['(', undefined],
])('knows the type of %s', (expression, type) => expect(celLiteralType(expression)).toBe(type));
