/** The subset of ASN.1 DER that certificates need. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes one element: tag, length, content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body), body]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const text = length.toString(16);
  const digits = Buffer.from(text.length % 2 === 0 ? text : `0${text}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
}

export const sequence = (...elements: readonly Uint8Array[]): Buffer => element(tags.sequence, ...elements);
export const set = (...elements: readonly Uint8Array[]): Buffer => element(tags.set, ...elements);
export const octetString = (content: Uint8Array): Buffer => element(tags.octetString, content);
export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text));
export const boolean = (value: boolean): Buffer => element(tags.boolean, Buffer.from([value ? 0xff : 0]));

/** Encodes a positive big-endian number. A set first bit would make it negative, so a zero byte is prepended. */
export function integer(bytes: Uint8Array): Buffer {
  return element(tags.integer, ...(bytes[0]! >= 0x80 ? [Buffer.from([0])] : []), bytes);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(tags.bitString, Buffer.from([unusedBits]), content);
}

/** Encodes an object identifier in dotted notation. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** Encodes a time with seconds. UTCTime ends with the year 2049. */
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.[0-9]+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2)))
    : element(tags.generalizedTime, Buffer.from(digits));
}

/** The whole element at the offset. */
export function elementAt(bytes: Buffer, offset: number): Buffer {
  const first = bytes.readUInt8(offset + 1);
  const extra = first < 0x80 ? 0 : first & 0x7f;
  const length = extra === 0 ? first : bytes.readUIntBE(offset + 2, extra);
  return bytes.subarray(offset, offset + 2 + extra + length);
}

/** The content of an element. */
export function contentOf(whole: Buffer): Buffer {
  const first = whole.readUInt8(1);
  return whole.subarray(2 + (first < 0x80 ? 0 : first & 0x7f));
}

/** The child elements of an element. */
export function childrenOf(whole: Buffer): Buffer[] {
  const content = contentOf(whole);
  const children: Buffer[] = [];
  for (let at = 0; at < content.length; at += children.at(-1)!.length) children.push(elementAt(content, at));
  return children;
}
