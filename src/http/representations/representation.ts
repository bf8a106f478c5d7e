import type { ResourceObject } from '../../meta/object.ts';
import type { StructSchema } from '../../schema/model.ts';

/** What a list says beside its items. */
export interface ListMeta {
  readonly resourceVersion: string | undefined;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
}

/** A list without its items, and the name of the field under which they come last. */
export interface OpenList {
  readonly value: object;
  readonly field: string;
}

/** What a watch sends when nothing has happened. */
export interface Bookmark extends ResourceObject {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * A form of objects other than the objects as they are. It makes values, never bytes: those are made by an encoding. The
 * objects that it is given have their kind and apiVersion; parts of them become parts of the values.
 */
export interface Representation {
  /** Representations of one type that are called the same make the same of an object. */
  readonly name: string;
  /** Of the answer about one object, of the list and of its items. */
  readonly schemas: { readonly one: StructSchema; readonly list: StructSchema; readonly item: StructSchema };
  /** The answer that is about one object. Throws a 406 when there is none. */
  one(object: ResourceObject): object;
  openList(metadata: ListMeta): OpenList;
  item(object: ResourceObject): object;
  /** The order of the items of a list, where it is not that of the list. */
  readonly compare?: ((left: ResourceObject, right: ResourceObject) => number) | undefined;
  /**
   * What `event` makes of an object that is not the first, as JSON cut out of its document; undefined when it cannot be cut.
   * Ends with a line feed.
   */
  readonly cut?: (document: Buffer) => Buffer | undefined;
  /** The object of an event in a stream. `isFirst` when the client has seen none before. */
  event(object: ResourceObject, isFirst: boolean): object;
  bookmark(bookmark: Bookmark, isFirst: boolean): object;
}
