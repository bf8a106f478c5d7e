import { goQuote } from '../meta/go-quote.ts';
import { isRecord, mapFields } from './redact-all.ts';
import { redacted } from './redacted.ts';

/** Shorter secrets occur in almost every text and reveal nothing. */
const minSecretLength = 4;

/** Removes the secrets from all strings in a value, both literally and quoted as in error messages. */
export function scrub<T>(value: T, secrets: ReadonlySet<string>): T {
  const spellings = [...secrets].filter((secret) => secret.length >= minSecretLength).flatMap(spellingsOf);
  // Longest first: replacing a substring of another secret would leave the rest of that secret.
  spellings.sort((a, b) => b.length - a.length);
  return spellings.length === 0 ? value : (replaceAll(value, spellings) as T);
}

function spellingsOf(secret: string): string[] {
  return [...new Set([secret, goQuote(secret).slice(1, -1), JSON.stringify(secret).slice(1, -1)])];
}

function replaceAll(value: unknown, spellings: readonly string[]): unknown {
  if (typeof value === 'string')
    return spellings.reduce((text, spelling) => text.replaceAll(spelling, redacted), value);
  if (Array.isArray(value)) return value.map((item) => replaceAll(item, spellings));
  return isRecord(value) ? mapFields(value, (_name, inner) => replaceAll(inner, spellings)) : value;
}
