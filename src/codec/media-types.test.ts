import { expect, it } from 'vitest';
import { acceptedBodyTypes, bodyEncoding } from './media-types.ts';

it.each([
  ['application/json', 'json'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['application/vnd.svc.protobuf', 'protobuf'],
  ['application/protobuf', undefined],
  ['application/merge-patch+json', undefined],
  ['', undefined],
])('a body of type %s is read as %s', (mediaType, encoding) => {
  expect(bodyEncoding(mediaType)).toBe(encoding);
});

it('tells one name per encoding', () => {
  expect(acceptedBodyTypes).toEqual(['application/json', 'application/vnd.kubernetes.protobuf']);
});
