import { goQuote } from '../../meta/go-quote.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of an object in a webhook's response. Absent and null fields read as empty; a field of the wrong type
 * throws an error.
 */
export class ResponseFields {
  readonly #fields: Fields;
  readonly #prefix: string;

  constructor(value: unknown, prefix = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`${prefix || 'the response'} must be an object`);
    this.#fields = value as Fields;
    this.#prefix = prefix;
  }

  text(name: string): string {
    const value = this.#fields[name] ?? '';
    if (typeof value !== 'string') throw this.#problem(name, 'a string');
    return value;
  }

  flag(name: string): boolean {
    const value = this.#fields[name] ?? false;
    if (typeof value !== 'boolean') throw this.#problem(name, 'true or false');
    return value;
  }

  texts(name: string): string[] {
    const value = this.#fields[name] ?? [];
    if (!isStringArray(value)) throw this.#problem(name, 'a list of strings');
    return value;
  }

  textLists(name: string): Record<string, string[]> {
    const value = this.#fields[name] ?? {};
    const isRight =
      typeof value === 'object' && Object.values(value).every((item) => item === null || isStringArray(item));
    if (!isRight || Array.isArray(value)) throw this.#problem(name, 'an object of lists of strings');
    return Object.fromEntries(Object.entries(value).map(([key, texts]) => [key, texts ?? []]));
  }

  textMap(name: string): Record<string, string> {
    const value = this.#fields[name] ?? {};
    const isMap = typeof value === 'object' && !Array.isArray(value);
    if (!isMap || !isStringArray(Object.values(value))) throw this.#problem(name, 'an object of strings');
    return { ...(value as Record<string, string>) };
  }

  fields(name: string): ResponseFields {
    return new ResponseFields(this.#fields[name] ?? {}, this.#path(name));
  }

  #path(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}.${name}`;
  }

  #problem(name: string, kind: string): Error {
    return new Error(`${this.#path(name)} must be ${kind}`);
  }
}

/**
 * Returns the status of the review in a webhook's response. A kind or apiVersion in the response must equal the one in
 * the request. The Error it throws names the fault and never quotes the response.
 */
export function reviewStatus(
  response: unknown,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): ResponseFields {
  const review = new ResponseFields(response);
  const named = { kind: review.text('kind'), apiVersion: review.text('apiVersion') };
  if ((named.kind || kind) !== kind || (named.apiVersion || apiVersion) !== apiVersion) {
    throw new Error(`the response must be a ${kind} of ${goQuote(apiVersion)}`);
  }
  return review.fields('status');
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
