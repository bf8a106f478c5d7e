import { expect, test } from 'vitest';
import { isPrettyRequested, jsonText } from './pretty.ts';

test.each([
  { query: '', userAgent: undefined, accepted: false, pretty: false },
  { query: '', userAgent: 'kubectl/v1.36', accepted: false, pretty: false },
  { query: '', userAgent: 'curl/8', accepted: false, pretty: true },
  { query: '', userAgent: 'Wget/1', accepted: false, pretty: true },
  { query: '', userAgent: 'Mozilla/5.0 (X)', accepted: false, pretty: true },
  { query: '', userAgent: 'Mozilla/4.0', accepted: false, pretty: false },
  { query: '', userAgent: undefined, accepted: true, pretty: true },
  { query: 'pretty=true', userAgent: undefined, accepted: false, pretty: true },
  { query: 'limit=1&pretty=T', userAgent: undefined, accepted: false, pretty: true },
  { query: 'pretty=%31', userAgent: undefined, accepted: false, pretty: true },
  { query: 'pretty=false', userAgent: 'curl/8', accepted: true, pretty: false },
  { query: 'pretty=x', userAgent: 'curl/8', accepted: false, pretty: false },
  { query: 'pretty', userAgent: undefined, accepted: false, pretty: true },
  { query: 'pretty', userAgent: 'curl/8', accepted: false, pretty: true },
  { query: 'notpretty=true', userAgent: undefined, accepted: false, pretty: false },
])('?$query from $userAgent (accepted: $accepted) is pretty: $pretty', ({ pretty, ...request }) => {
  expect(isPrettyRequested(request)).toBe(pretty);
});

test('compact text ends with a newline, indented text does not', () => {
  expect(jsonText({ a: [1] }, { pretty: false })).toBe('{"a":[1]}\n');
  expect(jsonText({ a: [1] }, { pretty: true })).toBe('{\n  "a": [\n    1\n  ]\n}');
});
