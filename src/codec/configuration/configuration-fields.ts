/** Receives the problems found in a configuration. Reading continues after each one unless the callback throws. */
export interface Findings {
  unknownField(path: string): void;
  /** `wanted` is `a string`, `a list`, ... The path of the document root is empty. */
  wrongType(path: string, value: unknown, wanted: string): void;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a configuration object one by one. Null is treated as absent. So is a value of the wrong type,
 * after it has been reported.
 */
export class ConfigurationFields<F extends Findings = Findings> {
  readonly findings: F;
  readonly #at: string;
  readonly #fields: Fields;
  readonly #read = new Set<string>();
  readonly #inner: ConfigurationFields<F>[] = [];
  #mayHoldMore = false;

  constructor(value: unknown, findings: F, at = '') {
    this.findings = findings;
    this.#at = at;
    const isObject = typeof value === 'object' && !Array.isArray(value);
    if (!isObject && value !== undefined) findings.wrongType(at, value, 'an object');
    this.#fields = isObject && value !== null ? (value as Fields) : {};
  }

  /** Returns the path of the field or, without a name, of the object itself. */
  path(name = ''): string {
    return this.#at === '' || name === '' ? this.#at + name : `${this.#at}.${name}`;
  }

  has(name: string): boolean {
    return this.#take(name) !== undefined;
  }

  /** Returns the unchecked field, for readers with their own rules. */
  value(name: string): unknown {
    return this.#take(name);
  }

  /** Returns an empty string when the field is absent. */
  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.#wrong(name, value, 'a string');
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#wrong(name, value, 'true or false');
  }

  integer(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
    return this.#wrong(name, value, 'an integer');
  }

  /** Returns an object of strings with any keys. */
  textMap(name: string): Readonly<Record<string, string>> {
    const value = this.#take(name) ?? {};
    const isMap = typeof value === 'object' && !Array.isArray(value);
    if (isMap && Object.values(value).every((item) => typeof item === 'string')) return value as Record<string, string>;
    this.#wrong(name, value, 'an object of strings');
    return {};
  }

  texts(name: string): string[] {
    const items = this.#list(name);
    if (items.every((item) => typeof item === 'string')) return items;
    this.#wrong(name, items, 'a list of strings');
    return [];
  }

  object(name: string): ConfigurationFields<F> {
    return this.#open(this.#take(name), this.path(name));
  }

  objects(name: string): ConfigurationFields<F>[] {
    return this.#list(name).map((item, index) => this.#open(item, `${this.path(name)}[${index}]`));
  }

  /** Disables the check for unknown fields in this object. */
  allowMore(): void {
    this.#mayHoldMore = true;
  }

  /** Reports all fields that were not read, in this object and in all nested objects that were opened, as unknown. */
  end(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#mayHoldMore && !this.#read.has(name)) this.findings.unknownField(this.path(name));
    }
    for (const inner of this.#inner) inner.end();
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  #list(name: string): unknown[] {
    const value = this.#take(name) ?? [];
    if (Array.isArray(value)) return value;
    this.#wrong(name, value, 'a list');
    return [];
  }

  #open(value: unknown, at: string): ConfigurationFields<F> {
    const inner = new ConfigurationFields(value, this.findings, at);
    this.#inner.push(inner);
    return inner;
  }

  #wrong(name: string, value: unknown, wanted: string): undefined {
    this.findings.wrongType(this.path(name), value, wanted);
  }
}
