/** A `mvccpb.KeyValue` of etcd. The bytes are views of the message. */
export interface KeyValueMessage {
  readonly key: Buffer;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly value: Buffer;
}

const nothing = Buffer.alloc(0);

/** Undefined when the bytes are not such a message. */
export function readKeyValue(bytes: Buffer): KeyValueMessage | undefined {
  const reader = new FieldReader(bytes);
  let key: Buffer = nothing;
  let value: Buffer = nothing;
  let createRevision = 0;
  let modRevision = 0;
  while (reader.next()) {
    if (reader.tag === 0x0a) key = reader.bytes();
    else if (reader.tag === 0x10) createRevision = reader.number();
    else if (reader.tag === 0x18) modRevision = reader.number();
    else if (reader.tag === 0x2a) value = reader.bytes();
    // The version and the lease.
    else if (reader.tag === 0x20 || reader.tag === 0x30) reader.number();
    else return undefined;
  }
  return reader.isWhole ? { key, createRevision, modRevision, value } : undefined;
}

/** The few kinds of fields that the message has. Reading beyond the end makes it incomplete. */
class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;
  #isWhole = true;
  tag = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  next(): boolean {
    if (!this.#isWhole || this.#at >= this.#bytes.length) return false;
    this.tag = this.number();
    return this.#isWhole;
  }

  bytes(): Buffer {
    const length = this.number();
    const start = this.#at;
    if (length > this.#bytes.length - start) {
      this.#isWhole = false;
      return nothing;
    }
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  /** Numbers beyond 2^53 lose digits: leases have such numbers, and they are not used. */
  number(): number {
    let result = 0;
    for (let scale = 1; scale <= 2 ** 63; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      result += (byte & 0x7f) * scale;
      if (byte < 0x80) return result;
    }
    this.#isWhole = false;
    return 0;
  }
}
