import { type FieldError, invalidValue } from '../../meta/field-error.ts';

const literals: readonly (readonly [RegExp, string])[] = [
  [/^(?:true|false)$/, 'bool'],
  [/^null$/, 'null_type'],
  [/^-?(?:0x[0-9a-fA-F]+|[0-9]+)$/, 'int'],
  [/^(?:0x[0-9a-fA-F]+|[0-9]+)[uU]$/, 'uint'],
  [/^-?(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)$/, 'double'],
  [/^(?:"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')$/, 'string'],
  [/^[bB](?:"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')$/, 'bytes'],
];

/**
 * Returns an error when an expression is a single literal of the wrong type. Other expressions are not type-checked
 * here.
 */
export function literalTypeError(expression: string, path: string, wanted: readonly string[]): FieldError[] {
  const type = celLiteralType(expression.trim());
  if (type === undefined || wanted.includes(type)) return [];
  const types = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`;
  return [invalidValue(path, expression, `must evaluate to ${types} but got ${type}`)];
}

/** Returns the CEL type of an expression that is a single literal, otherwise undefined. */
export function celLiteralType(expression: string): string | undefined {
  return literals.find(([syntax]) => syntax.test(expression))?.[1];
}
