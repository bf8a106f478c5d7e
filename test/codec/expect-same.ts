import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { decodeJson, encodeJson, indentJson } from '../../src/codec/json/index.ts';

/** Fails unless both values are the same in JSON. The order of keys in values of any type does not matter. */
export function expectSame(actual: unknown, expected: unknown): void {
  const [actualText, expectedText] = [comparable(actual), comparable(expected)];
  if (actualText === expectedText) return;
  const [one, other] = [decodeJson(Buffer.from(actualText)).value, decodeJson(Buffer.from(expectedText)).value];
  if (isDeepStrictEqual(one, other)) return;
  const indented = (text: string): string => indentJson(Buffer.from(text)).toString();
  expect(indented(actualText)).toBe(indented(expectedText));
}

/**
 * `versions` is the only list that is kept when it is empty, because errors show it. Protobuf does not distinguish it
 * from an absent list.
 */
function comparable(value: unknown): string {
  return encodeJson(value).replaceAll('"versions":[]', '"versions":null');
}
