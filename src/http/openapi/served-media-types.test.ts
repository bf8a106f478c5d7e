import { expect, test } from 'vitest';
import { ObjectFormats } from '../object-formats.ts';
import { customMediaTypes, servedMediaTypes } from './served-media-types.ts';

const patches = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
const strategic = 'application/strategic-merge-patch+json';

test('built-in types: any body, and CBOR when it is served', () => {
  const { objects, bodies, streams, patches: served } = servedMediaTypes(new ObjectFormats(['json', 'yaml', 'cbor']));
  expect(objects).toEqual(['application/json', 'application/yaml', 'application/cbor']);
  expect(bodies).toEqual(['*/*']);
  expect(streams).toEqual(['application/json;stream=watch', 'application/cbor-seq']);
  expect(served.toSorted()).toEqual([...patches, strategic, 'application/apply-patch+cbor'].toSorted());
  expect(servedMediaTypes(new ObjectFormats(['json'])).patches).not.toContain('application/apply-patch+cbor');
});

test('custom types: no protobuf, no strategic merge patches, and no streams', () => {
  const objects = ['application/json', 'application/yaml'];
  expect(customMediaTypes(new ObjectFormats(['json', 'yaml', 'protobuf']))).toEqual({
    objects,
    bodies: objects,
    streams: [],
    patches,
  });
});
