import { mediaTypes } from '../../codec/media-types.ts';
import type { ObjectFormats } from '../object-formats.ts';
import type { ServedMediaTypes } from './operation.ts';

const strategicPatch = 'application/strategic-merge-patch+json';
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  strategicPatch,
  'application/apply-patch+yaml',
];

/** The media types of built-in types. */
export function servedMediaTypes(formats: ObjectFormats): ServedMediaTypes {
  const patches = formats.supports('cbor') ? [...patchTypes, 'application/apply-patch+cbor'] : patchTypes;
  return { objects: formats.types, bodies: ['*/*'], streams: formats.streamTypes, patches };
}

/** Custom types have no protobuf form and no strategic merge patches. Their documents do not mention streams. */
export function customMediaTypes(formats: ObjectFormats): ServedMediaTypes {
  const served = mediaTypes.filter(({ encoding }) => encoding !== 'protobuf' && formats.supports(encoding));
  const objects = served.map(({ names: [name] }) => name);
  return {
    objects,
    bodies: objects,
    streams: [],
    patches: patchTypes.filter((type) => type !== strategicPatch),
  };
}
