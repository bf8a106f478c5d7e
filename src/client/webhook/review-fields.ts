import { jsonTypeName } from '../../meta/go-value.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of an object in a review. Null counts as absent. Throws an Error for values of another type. */
export class ReviewFields {
  readonly #value: Fields;
  readonly #path: string;

  /** `path` begins with the kind of the review. */
  constructor(value: unknown, path: string) {
    if (!isObject(value)) throw wrongType(value, path, 'object');
    this.#value = value;
    this.#path = path;
  }

  /** Empty when absent. */
  text(name: string): string {
    const value = this.#value[name] ?? '';
    if (typeof value !== 'string') throw wrongType(value, `${this.#path}.${name}`, 'string');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#value[name] ?? false;
    if (typeof value !== 'boolean') throw wrongType(value, `${this.#path}.${name}`, 'bool');
    return value;
  }

  /** Zero when absent. */
  integer(name: string): number {
    const value = this.#value[name] ?? 0;
    if (!Number.isInteger(value)) throw wrongType(value, `${this.#path}.${name}`, 'int32');
    return value as number;
  }

  has(name: string): boolean {
    return (this.#value[name] ?? undefined) !== undefined;
  }

  object(name: string): ReviewFields | undefined {
    return this.has(name) ? new ReviewFields(this.#value[name], `${this.#path}.${name}`) : undefined;
  }

  /** Empty when absent. */
  list(name: string, type: string): readonly unknown[] {
    const value = this.#value[name] ?? [];
    if (!Array.isArray(value)) throw wrongType(value, `${this.#path}.${name}`, type);
    return value;
  }

  objects(name: string, type: string): readonly ReviewFields[] {
    return this.list(name, type).map((item) => new ReviewFields(item ?? {}, `${this.#path}.${name}`));
  }

  texts(name: string): readonly string[] {
    return this.list(name, '[]string').map((item) => new ReviewFields({ [name]: item }, this.#path).text(name));
  }

  /** The members of a map of texts. Empty when absent. */
  textMap(name: string): readonly (readonly [key: string, value: string])[] {
    const map = this.object(name);
    return map === undefined ? [] : Object.keys(map.#value).map((key) => [key, map.text(key)] as const);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrongType(value: unknown, path: string, expected: string): Error {
  return new Error(`json: cannot unmarshal ${jsonTypeName(value)} into Go struct field ${path} of type ${expected}`);
}
