/**
 * The Huffman code of header compression (RFC 7541, appendix B). It is canonical: codes of one length are consecutive
 * in the order of their symbols, and shorter codes come first. The lengths are therefore sufficient.
 */

/** The length of the code of each byte in bits, and last that of the end of a string, which never occurs in one. */
const lengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];

export const endOfString = 256;

export interface HuffmanCode {
  readonly symbol: number;
  readonly bits: number;
  readonly length: number;
}

/** The codes by symbol. */
export const huffmanCodes: readonly HuffmanCode[] = assignCodes();

function assignCodes(): HuffmanCode[] {
  const order = lengths.map((length, symbol) => ({ length, symbol }));
  order.sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  const codes = new Array<HuffmanCode>(order.length);
  let bits = 0;
  let before = 0;
  for (const { length, symbol } of order) {
    bits <<= length - before;
    codes[symbol] = { symbol, bits, length };
    bits++;
    before = length;
  }
  return codes;
}
