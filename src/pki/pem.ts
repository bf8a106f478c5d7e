/** One block of a PEM file. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
  /** The offset of the text after the block. */
  readonly end: number;
}

const begin = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g;
const header = /^[^\n:]*:[^\n]*(?:\n|$)/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the next block at or after `from`, or undefined. Skips text that is not a block. */
export function nextPemBlock(text: string, from = 0): PemBlock | undefined {
  begin.lastIndex = from;
  for (let start = begin.exec(text); start !== null; start = begin.exec(text)) {
    const type = start[1]!;
    const bodyStart = begin.lastIndex;
    const ending = `-----END ${type}-----`;
    const bodyEnd = text.indexOf(ending, bodyStart);
    const block = bodyEnd === -1 ? undefined : blockOf(text.slice(bodyStart, bodyEnd));
    if (block !== undefined) return { ...block, type, end: bodyEnd + ending.length };
    // The line break that ends this line may also be the one before the next block.
    begin.lastIndex = bodyStart - 1;
  }
  return undefined;
}

function blockOf(body: string): Pick<PemBlock, 'hasHeaders' | 'bytes'> | undefined {
  let rest = body;
  let hasHeaders = false;
  for (let found = header.exec(rest); found !== null; found = header.exec(rest)) {
    rest = rest.slice(found[0].length);
    hasHeaders = true;
  }
  const encoded = rest.replace(/[\s]+/g, '');
  return base64.test(encoded) ? { hasHeaders, bytes: Buffer.from(encoded, 'base64') } : undefined;
}
