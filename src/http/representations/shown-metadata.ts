import type { ObjectMeta } from '../../meta/object.ts';

/** Returns metadata without some annotations, for output that has no other part of the object. */
export function shownMetadata(metadata: ObjectMeta, hidden: ReadonlySet<string> | undefined): ObjectMeta {
  if (hidden === undefined || metadata.annotations === undefined) return metadata;
  const shown = Object.entries(metadata.annotations).filter(([name]) => !hidden.has(name));
  return { ...metadata, annotations: shown.length === 0 ? undefined : Object.fromEntries(shown) };
}
