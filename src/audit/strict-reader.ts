import { goQuote } from '../meta/go-quote.ts';

/**
 * Takes the fields of a configuration one by one. What is not asked for before `end`, or is not what it should be, is a
 * problem; all readers of one document share the list of them. Null is as good as absent.
 */
export class StrictReader {
  readonly problems: string[];
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #asked = new Set<string>();

  constructor(value: unknown, { path = '', problems = [] as string[] } = {}) {
    this.problems = problems;
    this.#path = path;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.#fields = isObject ? (value as Record<string, unknown>) : {};
    if (!isObject && value !== null) this.#refuse('', 'an object');
  }

  string(name: string): string {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'string') return value ?? '';
    this.#refuse(name, 'a string');
    return '';
  }

  boolean(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'boolean') return value;
    this.#refuse(name, 'true or false');
    return undefined;
  }

  strings(name: string): string[] {
    const value = this.#take(name) ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.#refuse(name, 'a list of strings');
    return [];
  }

  objects(name: string): StrictReader[] {
    const value = this.#take(name) ?? [];
    if (Array.isArray(value)) return value.map((item, index) => this.#inner(item, `${this.#at(name)}[${index}]`));
    this.#refuse(name, 'a list');
    return [];
  }

  object(name: string): StrictReader {
    return this.#inner(this.#take(name) ?? null, this.#at(name));
  }

  /** Everything has been asked for. */
  end(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#asked.has(name)) this.problems.push(`unknown field ${goQuote(this.#at(name))}`);
    }
  }

  #take(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  #inner(value: unknown, path: string): StrictReader {
    return new StrictReader(value, { path, problems: this.problems });
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #refuse(name: string, wanted: string): void {
    const at = name === '' ? this.#path : this.#at(name);
    this.problems.push(at === '' ? `must be ${wanted}` : `${at}: must be ${wanted}`);
  }
}
