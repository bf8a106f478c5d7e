import { describe, expect, it } from 'vitest';
import { HeaderDecoder } from './header-decoder.ts';

const open = (maxListSize = 10_000) => new HeaderDecoder({ maxListSize });
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const lines = (fields: readonly string[] | undefined): string[] | undefined =>
  fields && Array.from({ length: fields.length / 2 }, (_, at) => `${fields[2 * at]}: ${fields[2 * at + 1]}`);

const request = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
const requests: [string, string[]][] = [
  ['first', request],
  ['second', [...request, 'cache-control: no-cache']],
  [
    'third',
    [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com', 'custom-key: custom-value'],
  ],
];
const response = (status: number, second: number): string[] => [
  `:status: ${status}`,
  'cache-control: private',
  `date: Mon, 21 Oct 2013 20:13:${second} GMT`,
  'location: https://www.example.com',
];
const responses: [string, string[]][] = [
  ['first', response(302, 21)],
  ['second', response(307, 21)],
  [
    'third',
    [
      ...response(200, 22),
      'content-encoding: gzip',
      'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    ],
  ],
];
/** A table of 256 bytes. */
const small = '3f e1 01';

// The examples of RFC 7541, appendix C.
describe.each<[string, [string, string[]][], string[], number[]]>([
  [
    'requests as they are',
    requests,
    [
      '828684410f7777772e6578616d706c652e636f6d',
      '828684be58086e6f2d6361636865',
      '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
    ],
    [57, 110, 164],
  ],
  [
    'compressed requests',
    requests,
    [
      '828684418cf1e3c2e5f23a6ba0ab90f4ff',
      '828684be5886a8eb10649cbf',
      '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
    ],
    [57, 110, 164],
  ],
  [
    'responses as they are, with a small table',
    responses,
    [
      `${small}4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d`,
      '4803333037c1c0bf',
      '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
    ],
    [222, 222, 215],
  ],
  [
    'compressed responses, with a small table',
    responses,
    [
      `${small}488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3`,
      '4883640effc1c0bf',
      '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
    ],
    [222, 222, 215],
  ],
])('%s', (_what, expected, blocks, sizes) => {
  it('are decoded one after the other', () => {
    const decoder = open();
    for (const [index, [, fields]] of expected.entries()) {
      expect(lines(decoder.decode(hex(blocks[index]!)))).toEqual(fields);
      expect(decoder.tableSize).toBe(sizes[index]);
    }
  });
});

describe('a single field', () => {
  it.each([
    ['to be remembered', '400a637573746f6d2d6b65790d637573746f6d2d686561646572', 'custom-key: custom-header', 55],
    ['with a known name', '040c2f73616d706c652f70617468', ':path: /sample/path', 0],
    ['that must never be remembered', '100870617373776f726406736563726574', 'password: secret', 0],
    ['that is known', '82', ':method: GET', 0],
    ['without a value', '00 01 78 00', 'x: ', 0],
  ])('%s is decoded', (_what, block, expected, size) => {
    const decoder = open();
    expect(lines(decoder.decode(hex(block)))).toEqual([expected]);
    expect(decoder.tableSize).toBe(size);
  });
});

describe('the table', () => {
  const insert = (name: string, value: string): Buffer =>
    Buffer.concat([
      Buffer.from([0x40, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]);

  it('forgets the oldest entries', () => {
    const decoder = open();
    for (let index = 0; index < 1000; index++) decoder.decode(insert('n', `value-${index}`.padEnd(95, '.')));
    // Each entry has 128 bytes.
    expect(decoder.tableSize).toBe(4096);
    expect(lines(decoder.decode(hex('be')))).toEqual([`n: ${'value-999'.padEnd(95, '.')}`]);
    expect(lines(decoder.decode(Buffer.from([0x80 | (61 + 32)])))).toEqual([`n: ${'value-968'.padEnd(95, '.')}`]);
    expect(decoder.decode(Buffer.from([0x80 | (61 + 33)]))).toBeUndefined();
  });

  it('is empty after an entry that does not fit', () => {
    const decoder = open();
    decoder.decode(insert('a', 'b'));
    const large = Buffer.concat([hex('4001 78 7f 81 1f'), Buffer.alloc(127 + 1 + 31 * 128, 0x79)]);
    expect(decoder.decode(large)).toEqual(['x', 'y'.repeat(127 + 1 + 31 * 128)]);
    expect(decoder.tableSize).toBe(0);
  });

  it('shrinks and grows as its client says', () => {
    const decoder = open();
    decoder.decode(insert('a', 'b'));
    expect(lines(decoder.decode(hex('20 82')))).toEqual([':method: GET']);
    expect(decoder.tableSize).toBe(0);
    // Two size updates in one block: the smallest size in between, then the final one.
    decoder.decode(Buffer.concat([hex('20 3f e1 1f'), insert('a', 'b')]));
    expect(decoder.tableSize).toBe(34);
  });

  it('changes its version with its content only', () => {
    const decoder = open();
    const before = decoder.version;
    decoder.decode(hex('82 84 00 01 78 00'));
    expect(decoder.version).toBe(before);
    decoder.decode(insert('a', 'b'));
    expect(decoder.version).not.toBe(before);
  });
});

describe('a damaged block', () => {
  it.each([
    ['index 0', '80'],
    ['an index beyond the table', 'be'],
    ['a name beyond the table', '7f 00 01 78'],
    ['an integer that does not end', 'ff ff ff ff ff ff'],
    ['an integer that is too large', 'ff ff ff ff ff ff ff ff 7f'],
    ['an integer that is cut off', 'ff'],
    ['a name that is cut off', '00 05 78'],
    ['a value that is missing', '00 01 78'],
    ['a value that is cut off', '00 01 78 05 78'],
    ['a length beyond the block', '00 01 78 7f ff ff 7f'],
    ['bad compression', '00 01 78 81 00'],
    ['a table that is too large', '3f e2 1f'],
    ['a change of the table behind a field', '82 20'],
    ['a change of the table that is cut off', '3f'],
  ])('is recognized: %s', (_what, block) => {
    expect(open().decode(hex(block))).toBeUndefined();
  });
});

describe('too many fields', () => {
  it('are dropped, but remembered', () => {
    const decoder = open(100);
    const block = Buffer.concat([hex('400161 0162'), hex(`00 01 78 64 ${'79'.repeat(100)}`), hex('400163 0164')]);
    expect(lines(decoder.decode(block))).toEqual(['a: b']);
    expect(decoder.isTooLarge).toBe(true);
    expect(lines(decoder.decode(hex('be bf')))).toEqual(['c: d', 'a: b']);
    expect(decoder.isTooLarge).toBe(false);
  });

  it('need no memory, however short their names for them are', () => {
    const decoder = open(10_000);
    const entry = Buffer.concat([hex('400161 7f 81 1e'), Buffer.alloc(127 + 1 + 30 * 128, 0x62)]);
    decoder.decode(entry);
    const fields = decoder.decode(Buffer.alloc(100_000, 0xbe));
    expect(decoder.isTooLarge).toBe(true);
    expect(fields).toHaveLength(4);
  });
});
