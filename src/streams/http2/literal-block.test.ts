import { expect, test } from 'vitest';
import { HeaderDecoder } from './header-decoder.ts';
import { literalBlock } from './literal-block.ts';

test.each<[string, [string, string][], number?]>([
  ['a field of the static table', [[':method', 'POST']], 1],
  ['a name of the static table', [[':path', '/etcdserverpb.KV/Range']]],
  ['a name of the static table that needs two bytes', [['content-type', 'application/grpc+proto']]],
  ['a name of its own', [['te', 'trailers']]],
  ['an empty value', [['a', '']]],
  ['a long value', [['a', 'x'.repeat(1000)]]],
  [
    'several',
    [
      [':scheme', 'https'],
      ['a', 'b'],
      [':authority', 'c'],
    ],
  ],
])('%s is decoded again', (_what, fields, length) => {
  const block = literalBlock(fields);
  const decoder = new HeaderDecoder({ maxListSize: 1 << 20 });
  expect(decoder.decode(block)).toEqual(fields.flat());
  // No field is added to the table, so the block has the same meaning at any time.
  expect(decoder.tableSize).toBe(0);
  if (length !== undefined) expect(block.length).toBe(length);
});
