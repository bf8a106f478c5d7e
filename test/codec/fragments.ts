import type { EncodingName } from '../../src/codec/media-types.ts';

/** Parses byte sequences in hexadecimal, separated by blanks. */
const hex = (text: string): Buffer[] =>
  text
    .trim()
    .split(/\s+/)
    .map((bytes) => Buffer.from(bytes, 'hex'));
/**
 * Parses texts that are separated by blanks. `·` stands for a blank, `
 *
 * ` for a line feed.
 */
const words = (text: string): Buffer[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => Buffer.from(word.replaceAll('·', ' ').replaceAll('¶', '\n')));

/** Truncated and overlong sequences, halves of surrogate pairs, and bytes that do not occur in UTF-8. */
export const badUtf8: readonly Buffer[] = hex('c3 c328 e282 f09f98 c080 e08080 eda080 f4908080 ff fe 80');

/** Byte sequences that have a meaning in the encoding. */
export const fragments: Readonly<Record<EncodingName, readonly Buffer[]>> = {
  json: words(`
    { } [ ] " , : \\ \\u \\ud800 \\udc00 \\u0000 ¶ · \u0000 // /* {} [] [[[[[[ {"a":1,"a":2} "a": "__proto__":
    - 0 00 . e 1e999 -0 1.0 9223372036854775808 -9223372036854775809 ${'1'.repeat(400)} null true nul
  `),
  yaml: words(`
    &a· *a *b <<:·*a <<:· -· - ?· :· : | |+9¶ > >-¶ # ·# " ' { } [ ] , {?· [a:· a:·a:·a ?·?·?· -·-·-· &a·[*a] {*a:·*a}
    !!binary· !!int· !!float· !!map· !!set· !!omap· !!timestamp· !a· !< !! %YAML·1.3¶ ¶---¶ ¶...¶ ¶ ¶·· @ \` \\x \\ud800
    ~ yes .nan .inf 0x 0b2 1_ 1:30 9223372036854775808 -9223372036854775809 ${'1'.repeat(400)} \\U0010ffff __proto__:·
    \u0000 \u0001
  `).concat(...['\t', '\r', '\u0085', '\u2028', '\ufeff'].map((character) => Buffer.from(character))),
  protobuf: hex(`
    6b387300 00 08 0a 0a00 0b 0c 0d 09 7b 7c 12 1a 2200 f80f 0a017b 0a0a0a0a 12021200
    ffffffff07 ffffffff0f ffffffffffffffff7f ffffffffffffffffff01 ffffffffffffffffff7f 8080808080808080808000
    0affffffff07 12ffffffff0f 0affffffffffffffff7f 12ffffffffffffffffff01
  `),
  cbor: hex(`
    d9d9f7 ff 9f bf 5f 7f 5fff 9fff bfff a0 80 40 60 f4 f6 f7 f0 f8ff f820 1c 3e 5d fc
    1bffffffffffffffff 3bffffffffffffffff 1b8000000000000000 3b7fffffffffffffff
    5b7fffffffffffffff 7bffffffffffffffff 9b7fffffffffffffff bbffffffffffffffff 5a7fffffff 9a7fffffff ba7fffffff
    f97e00 f97c00 fa7f800000 fb7ff8000000000000 fb3ff0000000000000 f90001 fb7fefffffffffffff f93e00
    c0 c1 c11b7fffffffffffffff c1fb7fefffffffffffff c24101 c349010000000000000000 d5 d6 d7 d64101 d86378
    a1416101 a2416101416102 a10101 a1f6f6 a180a0 818181818181 a1616161 7f616161626163ff
  `),
};
