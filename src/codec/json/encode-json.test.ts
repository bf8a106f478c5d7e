import { expect, test } from 'vitest';
import { encodeJson } from './encode-json.ts';

test.each([
  [{ a: [1, 'x', null, true] }, '{"a":[1,"x",null,true]}'],
  [{ a: '<b> & "c"' }, '{"a":"\\u003cb\\u003e \\u0026 \\"c\\""}'],
  ['\u2028\u2029', '"\\u2028\\u2029"'],
  [{ '<': 1 }, '{"\\u003c":1}'],
  [{ n: 9007199254740993n, m: [-(2n ** 63n)] }, '{"n":9007199254740993,"m":[-9223372036854775808]}'],
  [{ n: 2n ** 60n, s: '<' }, '{"n":1152921504606846976,"s":"\\u003c"}'],
  [{ gone: undefined, kept: 0 }, '{"kept":0}'],
])('case %#', (value, text) => {
  expect(encodeJson(value)).toBe(text);
});
