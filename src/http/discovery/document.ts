import { encodeJson, indentJson } from '../../codec/json/index.ts';
import type { StructSchema } from '../../schema/model.ts';
import type { ObjectEncoding } from '../responses/object-encoding.ts';
import { contentHash, entityTag } from './entity-tag.ts';

/** A discovery document in every encoding that is requested. */
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

  /** Indented JSON. Not cached, because only people request it. */
  indented(json: ObjectEncoding): Buffer {
    return indentJson(this.in(json));
  }

  /** Identifies the content, so it is the same for all encodings. As in kube-apiserver, the kind is not part of it. */
  entityTag(): string {
    if (this.#tag === undefined) {
      const { kind: _kind, apiVersion: _apiVersion, ...content } = this.#content as Readonly<Record<string, unknown>>;
      this.#tag = entityTag(contentHash(Buffer.from(encodeJson(content))));
    }
    return this.#tag;
  }
}
