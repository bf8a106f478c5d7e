import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { decodeJson, encodeJson, indentJson } from '../../src/codec/json/index.ts';

/** Fails unless both are the same in JSON. The order of keys inside of values of any type is not a matter of encodings. */
export function expectSame(actual: unknown, expected: unknown): void {
  const [actualText, expectedText] = [comparable(actual), comparable(expected)];
  if (actualText === expectedText) return;
  const [one, other] = [decodeJson(Buffer.from(actualText)).value, decodeJson(Buffer.from(expectedText)).value];
  if (isDeepStrictEqual(one, other)) return;
  const indented = (text: string): string => indentJson(Buffer.from(text)).toString();
  expect(indented(actualText)).toBe(indented(expectedText));
}

/** One list is kept when it is empty, because errors show it. Protobuf cannot tell it from none. */
function comparable(value: unknown): string {
  return encodeJson(value).replaceAll('"versions":[]', '"versions":null');
}
