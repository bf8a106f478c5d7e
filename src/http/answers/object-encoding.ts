import { type Encoder, encoders } from '../../codec/encoders/index.ts';
import type { EncodingName } from '../../codec/media-types.ts';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import type { GroupKind } from '../../meta/group-version.ts';
import type { StructSchema } from '../../schema/model.ts';
import { readObject } from './read-object.ts';

/** What is kept of each encoding, for whole objects and for items of lists each. */
const keptBytes = 64 * 1024 * 1024;

/** What is known of the objects in an answer. */
export interface ObjectType extends GroupKind {
  readonly apiVersion: string;
  readonly schema: StructSchema | undefined;
}

/**
 * The objects of one server in one encoding. They are stored as JSON documents; what has been made of these lately is kept,
 * so that a second reader costs a copy. A document is known by the buffer that holds it, which is never changed.
 */
export class ObjectEncoding {
  readonly name: EncodingName;
  readonly encoder: Encoder;
  readonly #wholes = new RecentBytes(keptBytes);
  readonly #items = new RecentBytes(keptBytes);

  constructor(name: EncodingName) {
    this.name = name;
    this.encoder = encoders[name];
  }

  /** The bytes are shared: they are not changed. */
  whole(document: Buffer, type: ObjectType): Buffer {
    if (this.name === 'json') return document;
    const { encoder } = this;
    if (encoder.wrap !== undefined) return encoder.wrap(this.item(document, type), type);
    return this.#wholes.of(document, () => encoder.encode(readObject(document), type.schema));
  }

  /** As `whole`, for lists: items do not repeat what the list says of them. `keep` unless there are too many. */
  item(document: Buffer, type: ObjectType, { keep = true } = {}): Buffer {
    if (keep) return this.#items.of(document, () => this.#item(document, type));
    return this.#items.find(document) ?? this.#item(document, type);
  }

  #item(document: Buffer, { schema }: ObjectType): Buffer {
    const { kind, apiVersion, ...item } = readObject(document);
    return this.encoder.item(item, schema);
  }
}
