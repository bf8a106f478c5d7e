import type { EncodingName } from '../../src/codec/media-types.ts';
import { expectSame } from '../codec/expect-same.ts';
import { canonical, type Typed } from './peer-codecs.ts';

/** Fails unless what was read from a response in this encoding is what JSON tells. */
export function expectMeans(encoding: EncodingName, actual: Typed, expected: Typed): void {
  // It also tells what was not set, and does not tell the type of items.
  if (encoding === 'protobuf') expectSame(canonical(actual), canonical(expected));
  else expectSame(actual, expected);
}
