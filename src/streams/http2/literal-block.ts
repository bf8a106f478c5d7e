import { staticNames, staticValues } from './static-table.ts';

/** Fields that are not in a table, with an indexed name or a literal one (RFC 7541, section 6.2.2). */
const literalPrefix = 0x0f;
const indexedMark = 0x80;

/** Encodes fields without a dynamic table, so the same bytes are valid on every connection. Values must be ASCII. */
export function literalBlock(fields: Iterable<readonly [name: string, value: string]>): Buffer {
  const bytes: number[] = [];
  for (const [name, value] of fields) {
    const index = staticNames.findIndex((known, at) => known === name && staticValues[at] === value);
    if (index > 0) {
      bytes.push(indexedMark | index);
      continue;
    }
    const nameIndex = staticNames.indexOf(name);
    writeInteger(bytes, Math.max(nameIndex, 0), literalPrefix);
    if (nameIndex <= 0) writeText(bytes, name);
    writeText(bytes, value);
  }
  return Buffer.from(bytes);
}

function writeText(bytes: number[], text: string): void {
  writeInteger(bytes, text.length, 0x7f);
  bytes.push(...Buffer.from(text, 'latin1'));
}

/** Writes an integer (RFC 7541, section 5.1). `mask` covers the bits of the prefix in the first byte. */
function writeInteger(bytes: number[], value: number, mask: number): void {
  if (value < mask) {
    bytes.push(value);
    return;
  }
  bytes.push(mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
