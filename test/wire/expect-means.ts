import type { EncodingName } from '../../src/codec/media-types.ts';
import { expectSame } from '../codec/expect-same.ts';
import { canonical, type Typed } from './peer-codecs.ts';

/** Fails unless the decoded response has the same meaning as the JSON response. */
export function expectMeans(encoding: EncodingName, actual: Typed, expected: Typed): void {
  // Protobuf also contains unset fields, and omits the type of items.
  if (encoding === 'protobuf') expectSame(canonical(actual), canonical(expected));
  else expectSame(actual, expected);
}
