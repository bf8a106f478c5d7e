/** A third of the maximum body size, which is enough to detect times that grow with the square of the size. */
export const fullSize = 1024 * 1024;
export const deep = 100_000;

export interface HostileDocument {
  readonly about: string;
  readonly bytes: () => Buffer;
}

/** Repeats the unit between two other parts, up to the size. */
export function filled(unit: string | Buffer, { before = '', after = '', size = fullSize }: Around = {}): () => Buffer {
  return () => {
    const [start, middle, end] = [Buffer.from(before, 'latin1'), Buffer.from(unit), Buffer.from(after, 'latin1')];
    const allocate = size - start.length - end.length;
    return Buffer.concat([start, Buffer.alloc(allocate - (allocate % middle.length), middle), end]);
  };
}

export interface Around {
  readonly before?: string;
  readonly after?: string;
  readonly size?: number;
}

export const nested = (open: string, close: string) => (): Buffer =>
  Buffer.from(open.repeat(deep) + close.repeat(deep));
export const hex = (text: string) => (): Buffer => Buffer.from(text, 'hex');
export const filledHex = (unit: string, before = ''): (() => Buffer) =>
  filled(Buffer.from(unit, 'hex'), { before: Buffer.from(before, 'hex').toString('latin1') });

/** Encodes a field of a protobuf message. */
export const protobufField = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), varint(content.length), content]);

export const enveloped = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from('6b387300', 'hex'), protobufField(0x12, message)]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

export const table = (documents: Readonly<Record<string, () => Buffer>>): HostileDocument[] =>
  Object.entries(documents).map(([about, bytes]) => ({ about, bytes }));
