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
  return { objects: formats.types, streams: formats.streamTypes, patches: patchTypes };
}

/** Custom types have no protobuf form and no strategic merge patches. */
export function customMediaTypes(formats: ObjectFormats): ServedMediaTypes {
  const served = mediaTypes.filter(({ encoding }) => encoding !== 'protobuf' && formats.supports(encoding));
  return {
    objects: served.map(({ names: [name] }) => name),
    streams: served.flatMap(({ stream }) => stream?.errorName ?? []),
    patches: patchTypes.filter((type) => type !== strategicPatch),
  };
}
