import { goQuote } from '../../meta/go-quote.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of an object in the answer of a webhook. What is absent or null is empty; what has a wrong type is an
 * error.
 */
export class AnswerFields {
  readonly #fields: Fields;
  readonly #at: string;

  constructor(value: unknown, at = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`${at || 'the answer'} must be an object`);
    this.#fields = value as Fields;
    this.#at = at;
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
    if (!isTexts(value)) throw this.#problem(name, 'a list of strings');
    return value;
  }

  textLists(name: string): Record<string, string[]> {
    const value = this.#fields[name] ?? {};
    const isRight = typeof value === 'object' && Object.values(value).every((item) => item === null || isTexts(item));
    if (!isRight || Array.isArray(value)) throw this.#problem(name, 'an object of lists of strings');
    return Object.fromEntries(Object.entries(value).map(([key, texts]) => [key, texts ?? []]));
  }

  fields(name: string): AnswerFields {
    return new AnswerFields(this.#fields[name] ?? {}, this.#path(name));
  }

  #path(name: string): string {
    return this.#at === '' ? name : `${this.#at}.${name}`;
  }

  #problem(name: string, kind: string): Error {
    return new Error(`${this.#path(name)} must be ${kind}`);
  }
}

/**
 * The status of a review that a webhook answered with. A kind or version that it names must be the one asked for.
 * Throws an Error that says what is wrong, and nothing of what the answer holds.
 */
export function statusOf(answer: unknown, { kind, apiVersion }: { kind: string; apiVersion: string }): AnswerFields {
  const review = new AnswerFields(answer);
  const named = { kind: review.text('kind'), apiVersion: review.text('apiVersion') };
  if ((named.kind || kind) !== kind || (named.apiVersion || apiVersion) !== apiVersion) {
    throw new Error(`the answer must be a ${kind} of ${goQuote(apiVersion)}`);
  }
  return review.fields('status');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
