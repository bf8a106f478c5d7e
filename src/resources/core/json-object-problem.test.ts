import { describe, expect, it } from 'vitest';
import { jsonObjectProblem } from './json-object-problem.ts';

describe('jsonObjectProblem', () => {
  it.each([['{}'], ['null'], [' {"auths": {"a": [1, -0.5e+3, true, null, "\\u00e4\\n"]}} ']])('accepts %s', (text) => {
    expect(jsonObjectProblem(text)).toBeUndefined();
  });

  it.each([
    ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['"a"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    ['1', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['false', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['ä', "invalid character 'Ã' looking for beginning of value"],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a":[1 2]}', "invalid character '2' after array element"],
    ['{"a":[1,]}', "invalid character ']' looking for beginning of value"],
    ['{"a":"\n"}', "invalid character '\\n' in string literal"],
    ['{"a":"\\q"}', "invalid character 'q' in string escape code"],
    ['{"a":"\\u00g0"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{} {}', "invalid character '{' after top-level value"],
  ])('rejects %s', (text, problem) => {
    expect(jsonObjectProblem(text)).toBe(problem);
  });
});
