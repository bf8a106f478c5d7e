import { goQuote } from '../meta/go-quote.ts';
import { isRecord, mapFields } from './hide.ts';
import { redacted } from './redacted.ts';

/** Shorter ones are found in every text, and give nothing away. */
const shortest = 4;

/** A value whose texts quote none of these secrets, neither as they are nor as messages quote them. */
export function scrub<T>(value: T, secrets: ReadonlySet<string>): T {
  const forms = [...secrets].filter((secret) => secret.length >= shortest).flatMap(quotedForms);
  // A part of another one would leave the rest of that one behind.
  forms.sort((a, b) => b.length - a.length);
  return forms.length === 0 ? value : (scrubbed(value, forms) as T);
}

function quotedForms(secret: string): string[] {
  return [...new Set([secret, goQuote(secret).slice(1, -1), JSON.stringify(secret).slice(1, -1)])];
}

function scrubbed(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') return forms.reduce((text, form) => text.replaceAll(form, redacted), value);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, forms));
  return isRecord(value) ? mapFields(value, (_name, inner) => scrubbed(inner, forms)) : value;
}
