import type { JsonSource } from '../../meta/json-source.ts';
import { type DocumentBounds, noBounds, tooManyKeys, tooManyValues } from '../document-bounds.ts';
import { isDigit, JsonScanner, numberOf } from './json-scanner.ts';

const maxDepth = 10_000;
/** The maximum number of duplicates whose paths are reported. */
const maxDuplicates = 100;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const minus = 0x2d;

export interface ExactJson {
  readonly value: unknown;
  /** Paths such as `spec.ports[0].name`, in document order, limited in number. */
  readonly duplicates: readonly string[];
  readonly source: JsonSource | undefined;
}

/** Parses JSON without loss of information: keeps duplicate keys, large integers, and the text of numbers. */
export function parseExactly(text: string, bounds: DocumentBounds = noBounds): ExactJson {
  return new ExactParser(text, bounds).parse();
}

type Container =
  | { readonly list: unknown[] }
  | { readonly object: Record<string, unknown>; key: string; count: number };

/** Uses an explicit stack instead of recursion, so that a deeply nested text cannot overflow the call stack. */
class ExactParser {
  readonly #scanner: JsonScanner;
  readonly #bounds: DocumentBounds;
  #values = 0;
  readonly #open: Container[] = [];
  readonly #duplicates: string[] = [];
  readonly #duplicateKeys = new Map<object, Set<string>>();
  readonly #superseded = new Map<object, Map<string, Record<string, unknown>[]>>();
  readonly #numberTexts = new Map<object, Map<string, string>>();
  /** The text of the number that was just read, if it differs from how the number is printed. */
  #numberText: string | undefined;

  constructor(text: string, bounds: DocumentBounds) {
    this.#scanner = new JsonScanner(text);
    this.#bounds = bounds;
  }

  parse(): ExactJson {
    for (;;) {
      let value = this.#begin();
      while (value !== opened) {
        const container = this.#open.at(-1);
        if (container === undefined) return this.#finish(value);
        this.#add(container, value);
        value = this.#next(container);
      }
    }
  }

  /** Returns a complete value, or `opened` after pushing a container whose first element comes next. */
  #begin(): unknown {
    const scanner = this.#scanner;
    const code = scanner.peek();
    switch (code) {
      case openBrace:
        return this.#openObject();
      case openBracket:
        return this.#openList();
      case quote:
        return scanner.string();
      default:
        return code === minus || isDigit(code) ? this.#number() : scanner.literal();
    }
  }

  #openObject(): unknown {
    this.#enter();
    if (this.#scanner.peek() === closeBrace) {
      this.#scanner.skip();
      return {};
    }
    this.#open.push({ object: {}, key: this.#key(), count: 0 });
    return opened;
  }

  #openList(): unknown {
    this.#enter();
    if (this.#scanner.peek() === closeBracket) {
      this.#scanner.skip();
      return [];
    }
    this.#open.push({ list: [] });
    return opened;
  }

  #enter(): void {
    if (this.#open.length >= maxDepth) throw this.#scanner.unexpected('exceeded max depth');
    this.#scanner.skip();
  }

  #key(): string {
    const scanner = this.#scanner;
    if (scanner.peek() !== quote) throw scanner.unexpected('looking for beginning of object key string');
    const key = scanner.string();
    if (scanner.peek() !== colon) throw scanner.unexpected('after object key');
    scanner.skip();
    return key;
  }

  #number(): number | bigint {
    const text = this.#scanner.number();
    const value = numberOf(text);
    if (String(value) !== text) this.#numberText = text;
    return value;
  }

  #noteNumber(parent: object, key: string): void {
    const text = this.#numberText;
    if (text === undefined) return;
    this.#numberText = undefined;
    let texts = this.#numberTexts.get(parent);
    if (texts === undefined) {
      texts = new Map();
      this.#numberTexts.set(parent, texts);
    }
    texts.set(key, text);
  }

  #add(container: Container, value: unknown): void {
    if (++this.#values > this.#bounds.maxValues) throw tooManyValues(this.#bounds);
    if ('list' in container) {
      this.#noteNumber(container.list, String(container.list.length));
      container.list.push(value);
      return;
    }
    const { object, key } = container;
    if (++container.count > this.#bounds.maxKeys) throw tooManyKeys(this.#bounds);
    if (Object.hasOwn(object, key)) {
      this.#noteDuplicate(object, key);
      this.#setAside(object, key);
      // Moves the key to its last position, which is where the duplicate is reported.
      delete object[key];
    }
    this.#noteNumber(object, key);
    define(object, key, value);
  }

  /** Keeps the previous value of a duplicate key. */
  #setAside(object: Record<string, unknown>, key: string): void {
    const holder: Record<string, unknown> = {};
    define(holder, key, object[key]);
    const texts = this.#numberTexts.get(object);
    const text = texts?.get(key);
    if (text !== undefined) {
      this.#numberTexts.set(holder, new Map([[key, text]]));
      texts!.delete(key);
    }
    let holders = this.#superseded.get(object);
    if (holders === undefined) {
      holders = new Map();
      this.#superseded.set(object, holders);
    }
    const earlier = holders.get(key);
    if (earlier === undefined) holders.set(key, [holder]);
    else earlier.push(holder);
  }

  #noteDuplicate(object: object, key: string): void {
    if (this.#duplicates.length < maxDuplicates) this.#duplicates.push(this.#path());
    let keys = this.#duplicateKeys.get(object);
    if (keys === undefined) {
      keys = new Set();
      this.#duplicateKeys.set(object, keys);
    }
    keys.add(key);
  }

  #path(): string {
    let path = '';
    for (const container of this.#open) {
      if ('list' in container) path += `[${container.list.length}]`;
      else path += path === '' ? container.key : `.${container.key}`;
    }
    return path;
  }

  /** Called after an element. Returns `opened` if another one follows, otherwise the completed container. */
  #next(container: Container): unknown {
    const scanner = this.#scanner;
    const isList = 'list' in container;
    const code = scanner.peek();
    if (code === comma) {
      scanner.skip();
      if (!isList) container.key = this.#key();
      return opened;
    }
    if (code !== (isList ? closeBracket : closeBrace)) {
      throw scanner.unexpected(isList ? 'after array element' : 'after object key:value pair');
    }
    scanner.skip();
    this.#open.pop();
    return isList ? container.list : container.object;
  }

  #finish(value: unknown): ExactJson {
    if (!Number.isNaN(this.#scanner.peek())) throw this.#scanner.unexpected('after top-level value');
    const hasNoFindings = this.#duplicates.length === 0 && this.#numberTexts.size === 0;
    return {
      value,
      duplicates: this.#duplicates,
      source: hasNoFindings
        ? undefined
        : { duplicateKeys: this.#duplicateKeys, superseded: this.#superseded, numberTexts: this.#numberTexts },
    };
  }
}

/** A plain assignment to `__proto__` would set the prototype. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

const opened = Symbol('opened');
