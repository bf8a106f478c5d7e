import { isResolved } from './resolve-scalar.ts';

export type ScalarStyle = 'double' | 'literal' | 'plain' | 'single';

/** Strings that need no quotes unless they are one of `words`. */
const simple = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
const words = /^(?:y|yes|true|on|n|no|false|off|null)$/i;
/** Some parsers read these as base 60 numbers, as YAML 1.1 defines. */
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/** Characters that need an escape. Go's library also escapes all characters outside the Basic Multilingual Plane. */
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
export const separator = /[\u2028\u2029]/;
const spacedSeparator = / [\u2028\u2029]|[\u2028\u2029] /;
const indicatorFirst = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[\s]|$)|---|\.\.\.)/;
const indicatorInside = /: |:$| #/;

/** Returns the style in which a string is written as a value or key in block context. */
export function scalarStyle(text: string): ScalarStyle {
  if (simple.test(text)) return words.test(text) && isResolved(text) ? 'double' : 'plain';
  if (special.test(text)) return 'double';
  if (text.includes('\n')) {
    return text.endsWith(' ') || text.includes(' \n') || separator.test(text) ? 'double' : 'literal';
  }
  if (separator.test(text)) return spacedSeparator.test(text) ? 'double' : 'single';
  // Quotes prevent `<<` from being read as a merge key.
  if (text === '<<' || isResolved(text) || sexagesimal.test(text)) return 'double';
  const isPlain = !indicatorFirst.test(text) && !indicatorInside.test(text) && text.trim() === text;
  return isPlain ? 'plain' : 'single';
}
