import type { ObjectMeta } from '../../meta/object.ts';

/** Returns metadata without some annotations, for output that has no other part of the object. */
export function visibleMetadata(metadata: ObjectMeta, hidden: ReadonlySet<string> | undefined): ObjectMeta {
  if (hidden === undefined || metadata.annotations === undefined) return metadata;
  const visible = Object.entries(metadata.annotations).filter(([name]) => !hidden.has(name));
  return { ...metadata, annotations: visible.length === 0 ? undefined : Object.fromEntries(visible) };
}
