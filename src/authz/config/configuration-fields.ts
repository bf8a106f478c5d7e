import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { type FieldError, invalidValue, typeInvalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of one object of a configuration file. What is absent or null reads as empty. Findings go to one list, and
 * reading goes on after them.
 */
export class ConfigurationFields {
  readonly #fields: Fields;
  readonly #at: string;
  readonly #findings: Findings;

  constructor(value: unknown, at: string, findings: Findings) {
    this.#at = at;
    this.#findings = findings;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) findings.fields.push(typeInvalidValue(at, value, 'must be an object'));
    this.#fields = isObject ? (value as Fields) : {};
  }

  /** Nothing else may be there. */
  allow(...names: readonly string[]): void {
    for (const name of Object.keys(this.#fields)) {
      if (!names.includes(name)) this.#findings.decoding.push(`unknown field ${goQuote(this.path(name))}`);
    }
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  text(name: string): string {
    return this.#typed(name, '', 'a string');
  }

  flag(name: string, absent: boolean): boolean {
    return this.#typed(name, absent, 'true or false');
  }

  /** Milliseconds; undefined when it is absent. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    try {
      return Number(parseDuration(text)) / 1e6;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.add(invalidValue(this.path(name), text, error.message));
      return Number.NaN;
    }
  }

  object(name: string): ConfigurationFields {
    return new ConfigurationFields(this.#fields[name] ?? {}, this.path(name), this.#findings);
  }

  objects(name: string): ConfigurationFields[] {
    const value = this.#fields[name] ?? [];
    if (Array.isArray(value)) {
      return value.map((item, index) => new ConfigurationFields(item, `${this.path(name)}[${index}]`, this.#findings));
    }
    this.add(typeInvalidValue(this.path(name), value, 'must be a list'));
    return [];
  }

  path(name: string): string {
    return this.#at === '' ? name : `${this.#at}.${name}`;
  }

  add(...errors: readonly FieldError[]): void {
    this.#findings.fields.push(...errors);
  }

  #typed<T extends string | boolean>(name: string, absent: T, what: string): T {
    const value = this.#fields[name] ?? absent;
    if (typeof value === typeof absent) return value as T;
    this.add(typeInvalidValue(this.path(name), value, `must be ${what}`));
    return absent;
  }
}

export interface Findings {
  /** What should not be in the file at all. */
  readonly decoding: string[];
  readonly fields: FieldError[];
}
