import type { ResourceReference } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';

/** An object that every namespace has. */
export interface KeptObject {
  readonly type: ResourceReference;
  readonly name: string;
  /** Metadata is enough for `isRight`. */
  readonly metadataOnly: boolean;
  readonly isRight: (object: ResourceObject) => boolean;
  /** The object without name and namespace. */
  readonly content: Omit<ResourceObject, 'metadata'> & { readonly metadata?: ResourceObject['metadata'] };
}

/** The object in one of the namespaces. */
export function inNamespace(
  { name, content: { metadata, ...content } }: KeptObject,
  namespace: string,
): ResourceObject {
  return { ...content, metadata: { ...metadata, name, namespace } };
}
