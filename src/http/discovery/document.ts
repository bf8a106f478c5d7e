import { indentJson } from '../../codec/json/index.ts';
import type { StructSchema } from '../../schema/model.ts';
import type { ObjectEncoding } from '../answers/object-encoding.ts';
import { contentHash, entityTag } from './entity-tag.ts';

/** A document of discovery in every encoding that it is asked for in. */
export class DiscoveryDocument {
  readonly #content: object;
  readonly #schema: StructSchema | undefined;
  readonly #encoded = new Map<ObjectEncoding, Buffer>();
  #tag: string | undefined;

  constructor(content: object, schema?: StructSchema) {
    this.#content = content;
    this.#schema = schema;
  }

  in(encoding: ObjectEncoding): Buffer {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = encoding.encoder.encode(this.#content, this.#schema);
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }

  /** As JSON for people. Made anew each time: only they ask for it. */
  indented(json: ObjectEncoding): Buffer {
    return indentJson(this.in(json));
  }

  /** The same for all encodings: it tells whether the content is the same. */
  entityTag(json: ObjectEncoding): string {
    this.#tag ??= entityTag(contentHash(this.in(json)));
    return this.#tag;
  }
}
