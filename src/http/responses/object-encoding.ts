import { type Encoder, encoders } from '../../codec/encoders/index.ts';
import type { EncodingName } from '../../codec/media-types.ts';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import type { GroupKind } from '../../meta/group-version.ts';
import type { DocumentGroup } from '../../registry/index.ts';
import type { StructSchema } from '../../schema/model.ts';
import { readObject } from './read-object.ts';

/** The size of two caches of every encoding: one for whole objects and one for list items. */
const cacheCapacity = 32 * 1024 * 1024;
/** The size of the cache for groups of list items. It is larger, because clients list whole types again and again. */
const groupCapacity = 64 * 1024 * 1024;

/** What is cached of a list. */
export type ListCaching = 'groups and items' | 'groups' | 'nothing';

/**
 * Returns what to cache of a list with this size in JSON. More than a cache holds would evict everything else, and
 * itself, before it is read again. Items speed up the groups in which some have changed.
 */
export function listCaching(bytes: number): ListCaching {
  if (bytes <= cacheCapacity) return 'groups and items';
  return bytes <= groupCapacity ? 'groups' : 'nothing';
}

/** The type of the objects in a response. */
export interface ObjectType extends GroupKind {
  readonly apiVersion: string;
  readonly schema: StructSchema | undefined;
  /** Whether list items state their kind and apiVersion, as those of custom types do. */
  readonly itemsStateKind?: boolean;
}

interface GroupOptions {
  /** Must be the same function of the length for all lists of a type. */
  readonly before: (itemLength: number) => Buffer;
  readonly caching: ListCaching;
}

/**
 * Encodes the objects of one server in one encoding. Objects are stored as JSON documents. Recently encoded bytes are
 * cached, so that a second reader costs only a copy. The cache key is the location of the document in memory, which is
 * never overwritten.
 */
export class ObjectEncoding {
  readonly name: EncodingName;
  readonly encoder: Encoder;
  readonly #objects = new RecentBytes(cacheCapacity);
  readonly #items = new RecentBytes(cacheCapacity);
  readonly #groups = new RecentBytes(groupCapacity);

  constructor(name: EncodingName) {
    this.name = name;
    this.encoder = encoders[name];
  }

  /** The bytes are shared and must not be changed. */
  object(document: Buffer, type: ObjectType): Buffer {
    if (this.name === 'json') return document;
    const { encoder } = this;
    if (encoder.wrap !== undefined) return encoder.wrap(this.item(document, type), type);
    return this.#objects.of(identityOf(document), () => encoder.encode(readObject(document), type.schema));
  }

  /**
   * Like `object`, for list items, which mostly omit the kind and apiVersion that the list states. Set `keep` to false
   * for lists too large to cache.
   */
  item(document: Buffer, type: ObjectType, { keep = true } = {}): Buffer {
    if (keep) return this.#items.of(identityOf(document), () => this.#item(document, type));
    return this.#items.find(identityOf(document)) ?? this.#item(document, type);
  }

  /**
   * The items of a group, each after the bytes that `before` returns for its length. They are cached as a whole where
   * other lists have the same group.
   */
  group(group: DocumentGroup, type: ObjectType, { before, caching }: GroupOptions): Buffer {
    const { identity } = group;
    const keep = caching === 'groups and items';
    const join = (): Buffer =>
      Buffer.concat(
        group.documents().flatMap((document) => {
          const item = this.item(document, type, { keep });
          return [before(item.length), item];
        }),
      );
    if (identity === undefined) return join();
    return caching === 'nothing' ? (this.#groups.find(identity) ?? join()) : this.#groups.of(identity, join);
  }

  /** Whether the group is cached, so that `group` need not encode it. */
  knowsGroup({ identity }: DocumentGroup): boolean {
    return identity !== undefined && this.#groups.find(identity) !== undefined;
  }

  #item(document: Buffer, { schema, itemsStateKind = false }: ObjectType): Buffer {
    if (itemsStateKind) return this.encoder.item(readObject(document), schema);
    const { kind, apiVersion, ...item } = readObject(document);
    return this.encoder.item(item, schema);
  }
}

const identities = new WeakMap<ArrayBufferLike, Map<number, object>>();

/**
 * Identifies a document by its location in memory. Many documents share one block of memory, and each reader has a
 * different view.
 */
function identityOf({ buffer, byteOffset }: Buffer): object {
  let inBlock = identities.get(buffer);
  if (inBlock === undefined) {
    inBlock = new Map();
    identities.set(buffer, inBlock);
  }
  let identity = inBlock.get(byteOffset);
  if (identity === undefined) {
    identity = {};
    inBlock.set(byteOffset, identity);
  }
  return identity;
}
