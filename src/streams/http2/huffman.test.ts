import { describe, expect, it } from 'vitest';
import { decodeHuffman, encodeHuffman, huffmanLength } from './huffman.ts';
import { huffmanCodes } from './huffman-code.ts';

const decode = (hex: string): string | undefined => {
  const bytes = Buffer.from(hex, 'hex');
  return decodeHuffman(bytes, 0, bytes.length);
};
const encode = (text: string): string => {
  const bytes = Buffer.alloc(huffmanLength(text));
  expect(encodeHuffman(text, bytes, 0)).toBe(bytes.length);
  return bytes.toString('hex');
};

describe('the code', () => {
  it('leaves no sequence of bits without a meaning', () => {
    expect(huffmanCodes).toHaveLength(257);
    expect(huffmanCodes.reduce((sum, { length }) => sum + 2 ** -length, 0)).toBe(1);
  });

  it.each([
    [48, 0x0, 5],
    [97, 0x3, 5],
    [58, 0x5c, 7],
    [88, 0xfc, 8],
    [0, 0x1ff8, 13],
    [92, 0x7fff0, 19],
    [128, 0xfffe6, 20],
    [9, 0xffffea, 24],
    [255, 0x3ffffee, 26],
    [249, 0xffffffe, 28],
    [10, 0x3ffffffc, 30],
    [22, 0x3ffffffe, 30],
    [256, 0x3fffffff, 30],
  ])('has the known bits for symbol %i', (symbol, bits, length) => {
    expect(huffmanCodes[symbol]).toEqual({ symbol, bits, length });
  });
});

describe('a string', () => {
  it.each([
    ['', ''],
    ['www.example.com', 'f1e3c2e5f23a6ba0ab90f4ff'],
    ['no-cache', 'a8eb10649cbf'],
    ['custom-key', '25a849e95ba97d7f'],
    ['302', '6402'],
    ['Mon, 21 Oct 2013 20:13:21 GMT', 'd07abe941054d444a8200595040b8166e082a62d1bff'],
  ])('%j is encoded and decoded', (text, hex) => {
    expect(encode(text)).toBe(hex);
    expect(decode(hex)).toBe(text);
  });

  it('comes through whatever its bytes are', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('latin1');
    expect(decode(encode(all))).toBe(all);
    expect(decode(encode(all.repeat(50)))).toBe(all.repeat(50));
  });

  it.each([
    ['with eight bits of padding', '1fff'],
    ['with a whole byte of padding', 'f1e3c2e5f23a6ba0ab90f4ffff'],
    ['padded with zeros', '18'],
    ['that contains its end', 'ffffffff'],
    ['with the end behind a symbol', '1fffffffff'],
  ])('%s is damaged', (_what, hex) => {
    expect(decode(hex)).toBeUndefined();
  });
});
