import type { ResourceObject } from '../../meta/object.ts';
import type { StructSchema } from '../../schema/model.ts';

/** The metadata of a list. */
export interface ListMeta {
  readonly resourceVersion: string | undefined;
  readonly continue: string | undefined;
  readonly remainingItemCount: number | undefined;
}

/** A list without its items, and the name of the field that holds them, which comes last. */
export interface OpenList {
  readonly value: object;
  readonly field: string;
}

/** The object of a BOOKMARK event. */
export interface Bookmark extends ResourceObject {
  readonly kind: string;
  readonly apiVersion: string;
}

export interface EventPosition {
  /** True for the first event that the client receives. */
  readonly isFirst: boolean;
}

/**
 * A representation of objects other than the objects themselves. It produces values, which an encoding turns into
 * bytes. The given objects have their kind and apiVersion. The values may share parts with them.
 */
export interface Representation {
  /** Representations of a type with equal names produce equal values. */
  readonly name: string;
  /** The schemas of the response for one object, of a list and of its items. */
  readonly schemas: { readonly one: StructSchema; readonly list: StructSchema; readonly item: StructSchema };
  /** The response for one object. Throws a 406 when the representation has none. */
  one(object: ResourceObject): object;
  openList(metadata: ListMeta): OpenList;
  item(object: ResourceObject): object;
  /** Sorts the items of a list. Undefined to keep their order. */
  readonly compare?: ((left: ResourceObject, right: ResourceObject) => number) | undefined;
  /**
   * Does the same as `event` for an event that is not the first, by cutting JSON out of the document. Returns undefined
   * when that is not possible. The result ends with a line feed.
   */
  readonly cut?: (document: Buffer) => Buffer | undefined;
  /** The object of a watch event. */
  event(object: ResourceObject, position: EventPosition): object;
  bookmark(bookmark: Bookmark, position: EventPosition): object;
}
