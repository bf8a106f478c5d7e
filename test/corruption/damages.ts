/** A kind of damage to the bytes of a stored object. The result of `change` is stored in SQLite with its own type. */
export interface Damage {
  readonly what: string;
  readonly change: (value: Buffer) => Buffer | string | number | null;
  /** Whether only a checksum can detect the damage, because the result is a valid object. */
  readonly needsChecksum?: boolean;
}

const text = (change: (text: string) => string) => (value: Buffer) => Buffer.from(change(value.toString()));
/** Parses the value as JSON and changes members of the first level. */
const parsed = (change: (object: Parsed) => unknown) => (value: Buffer) =>
  Buffer.from(JSON.stringify(change(JSON.parse(value.toString()))));
type Parsed = Record<string, unknown> & { metadata: Record<string, unknown> };

export const damages: readonly Damage[] = [
  { what: 'empty', change: () => Buffer.alloc(0) },
  { what: 'an empty array', change: () => Buffer.from('[]') },
  { what: 'null in JSON', change: () => Buffer.from('null') },
  { what: 'no value at all', change: () => null },
  { what: 'a number', change: () => 42 },
  { what: 'text in place of bytes', change: (value) => value.toString() },
  { what: 'empty text', change: () => '' },
  { what: 'a sentence', change: () => Buffer.from('once upon a time') },
  { what: 'random bytes', change: (value) => Buffer.from(value.map((_, index) => (index * 7919 + 13) % 251)) },
  { what: 'cut off in the middle', change: (value) => value.subarray(0, value.length >> 1) },
  { what: 'cut off before its uid', change: (value) => value.subarray(0, value.indexOf('"uid"')) },
  { what: 'cut off by one byte', change: (value) => value.subarray(0, -1) },
  { what: 'broken behind its uid', change: text((value) => value.replace(/("uid":"[^"]*")/, '$1,,')) },
  { what: 'an object of another kind', change: parsed((object) => ({ ...object, kind: 'Other' })) },
  { what: 'no metadata', change: parsed(({ metadata: { uid }, ...rest }) => ({ ...rest, data: { uid } })) },
  { what: 'no uid', change: parsed((object) => ({ ...object, metadata: { ...object.metadata, uid: undefined } })) },
  { what: 'another name', change: parsed((object) => ({ ...object, metadata: { ...object.metadata, name: 'x' } })) },
  {
    what: 'not UTF-8',
    change: (value) => Buffer.from(value.toString('latin1').replace('"name":"', '"name":"\xff'), 'latin1'),
  },
  {
    what: 'nested too deep',
    change: text((value) => `${value.slice(0, -1)},"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
  },
  { what: 'twice the same', change: (value) => Buffer.concat([value, value]) },
  {
    what: 'zeros in the middle',
    change: (value) => Buffer.from(value).fill(0, value.length >> 1, (value.length >> 1) + 8),
  },
  {
    what: 'another bit in a string',
    change: text((value) => value.replace('creationTimestamp', 'creationTimestbmp')),
    needsChecksum: true,
  },
];
