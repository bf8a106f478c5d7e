import { requestBounds, tooManyKeys } from '../document-bounds.ts';
import { type CborTypeName, majorTypes, typeName } from './major-types.ts';
import { OpenContainer } from './open-container.ts';
import { checkDepth, readTags } from './read-tags.ts';
import { Refusals } from './refusals.ts';
import { ScalarReader } from './scalar-reader.ts';

const opened = Symbol('opened');

/** Decodes one data item. Uses an explicit stack so that deeply nested input cannot overflow the call stack. */
export class ItemDecoder {
  readonly refusals = new Refusals();
  readonly reader: ScalarReader;
  /** The type of the item, ignoring its tags. */
  type: CborTypeName | undefined;
  readonly integerKeys: number[] = [];
  readonly keyOrders = new Map<object, readonly (string | undefined)[]>();
  readonly numberTexts = new Map<object, Map<string, string>>();
  readonly #seenIntegers = new Set<number | bigint>();
  /** The first entry is a placeholder for the parent of the outermost item. */
  readonly #containers: OpenContainer[] = [new OpenContainer()];
  #level = 0;
  #container: OpenContainer = this.#containers[0]!;

  constructor(bytes: Buffer) {
    this.reader = new ScalarReader(bytes, this.refusals);
  }

  decode(): unknown {
    for (;;) {
      let value = this.#begin();
      while (value !== opened) {
        if (this.#level === 0) return value;
        value = this.#add(value);
      }
    }
  }

  /** Returns a complete value, or `opened` when it has pushed a container for the elements that follow. */
  #begin(): unknown {
    const { reader } = this;
    const { encoding, depth } = this.#container;
    reader.next();
    if (reader.major !== majorTypes.tag) return this.#item(encoding, depth);
    const tagged = readTags(reader, { encoding, depth });
    if (tagged.time === undefined) return this.#item(tagged.encoding, tagged.depth);
    this.type ??= typeName(reader.major);
    return reader.time(tagged.time);
  }

  #item(encoding: number, depth: number): unknown {
    const { reader } = this;
    this.type ??= typeName(reader.major);
    switch (reader.major) {
      case majorTypes.bytes:
      case majorTypes.text:
        return reader.text(encoding);
      case majorTypes.map:
        return this.#open({}, encoding, depth);
      case majorTypes.array:
        return this.#open([], encoding, depth);
      case majorTypes.primitive:
        if (reader.isFloat) this.#noteFloat(reader.argument);
        return reader.primitive();
      default:
        return reader.integer();
    }
  }

  #open(value: unknown[] | Record<string, unknown>, encoding: number, depth: number): unknown {
    checkDepth(depth + 1);
    this.refusals.outermost = false;
    this.#level++;
    let container = this.#containers[this.#level];
    if (container === undefined) {
      container = new OpenContainer();
      this.#containers.push(container);
    }
    container.begin(value, this.reader.length());
    container.encoding = encoding;
    container.depth = depth + 1;
    this.#container = container;
    return this.#next(container);
  }

  /** Adds an item to its container. */
  #add(item: unknown): unknown {
    const container = this.#container;
    this.reader.countValue();
    if (container.dropped === 0) container.add(item);
    else if (--container.dropped > 0) return opened;
    return this.#next(container);
  }

  /** Advances to the next element, or returns the container's value when it is complete. */
  #next(container: OpenContainer): unknown {
    const { remaining } = container;
    if (remaining === Number.POSITIVE_INFINITY ? this.reader.takeBreak() : remaining === 0) {
      if (container.keyOrder !== undefined) this.keyOrders.set(container.value, container.keyOrder);
      this.#level--;
      this.#container = this.#containers[this.#level]!;
      return container.value;
    }
    container.remaining = remaining - 1;
    if (container.isMap) {
      if (container.begun >= requestBounds.maxKeys) throw tooManyKeys(requestBounds);
      this.refusals.outermost = this.#level === 1;
      this.#key(container);
      this.refusals.outermost = false;
    }
    container.begun++;
    return opened;
  }

  #key(container: OpenContainer): void {
    const { reader } = this;
    const major = reader.peek() >> 5;
    if (major === majorTypes.bytes || major === majorTypes.text) {
      reader.next();
      if (!container.setKey(reader.text(0))) this.#refuseDuplicate(container.key, container.begun);
    } else if (this.#level === 1 && major <= majorTypes.negative) {
      this.#integerKey(container);
    } else {
      this.#refuseKey(typeName(major));
      container.dropped = 2;
    }
  }

  /** Only the outermost map is known to be a struct, where an integer key is merely an unknown field. */
  #integerKey(container: OpenContainer): void {
    this.reader.next();
    const key = this.reader.integer();
    if (this.#seenIntegers.has(key)) this.#refuseDuplicate(key, container.begun);
    this.#seenIntegers.add(key);
    this.integerKeys.push(container.begun);
    container.skipKey();
    container.dropped = 1;
  }

  #refuseDuplicate(key: string | number | bigint, index: number): void {
    this.refusals.note(`cbor: found duplicate map key "${key}" at map element index ${index}`);
  }

  #refuseKey(type: CborTypeName): void {
    const reason = `map key is of type ${type} and cannot be used to match struct field name`;
    const detail = this.refusals.outermost ? ` (${reason})` : '';
    this.refusals.note(`cbor: cannot unmarshal ${type} into Go value of type string${detail}`);
  }

  /** Records that an integer was sent as a float. */
  #noteFloat(value: number): void {
    const container = this.#container;
    if (!Number.isInteger(value) || this.#level === 0 || container.dropped > 0) return;
    const { isMap, key, begun } = container;
    let texts = this.numberTexts.get(container.value);
    if (texts === undefined) {
      texts = new Map();
      this.numberTexts.set(container.value, texts);
    }
    texts.set(isMap ? key : String(begun - 1), floatText(value));
  }
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('e') ? text : `${text}.0`;
}
