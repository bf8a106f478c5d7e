import { jsonText } from '../../codec/pretty.ts';
import { contentHash, entityTag } from './entity-tag.ts';

/** A JSON document as it is sent. */
export class JsonDocument {
  readonly compact: Buffer;
  #tag: string | undefined;

  constructor(content: object) {
    this.compact = Buffer.from(jsonText(content, { pretty: false }));
  }

  /** Made anew each time: only humans ask for it. */
  get pretty(): Buffer {
    return Buffer.from(jsonText(JSON.parse(this.compact.toString()), { pretty: true }));
  }

  get entityTag(): string {
    this.#tag ??= entityTag(contentHash(this.compact));
    return this.#tag;
  }
}
