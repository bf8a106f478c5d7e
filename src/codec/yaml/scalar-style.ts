import { isResolved } from './resolve-scalar.ts';

export type ScalarStyle = 'double' | 'literal' | 'plain' | 'single';

/** Sure to be plain when it is none of the words. */
const simple = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
const words = /^(?:y|yes|true|on|n|no|false|off|null)$/i;
/** Minutes and seconds to some readers. */
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/** What cannot be written without escapes; the library escapes all that is beyond the first 65,536 characters, too. */
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
export const separator = /[\u2028\u2029]/;
const spacedSeparator = / [\u2028\u2029]|[\u2028\u2029] /;
const indicatorFirst = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[\s]|$)|---|\.\.\.)/;
const indicatorInside = /: |:$| #/;

/** The form that a text takes as a value or as a key in a block. */
export function scalarStyle(text: string): ScalarStyle {
  if (simple.test(text)) return words.test(text) && isResolved(text) ? 'double' : 'plain';
  if (special.test(text)) return 'double';
  if (text.includes('\n')) {
    return text.endsWith(' ') || text.includes(' \n') || separator.test(text) ? 'double' : 'literal';
  }
  if (separator.test(text)) return spacedSeparator.test(text) ? 'double' : 'single';
  // A merge key in quotes is only a text.
  if (text === '<<' || isResolved(text) || sexagesimal.test(text)) return 'double';
  const isPlain = !indicatorFirst.test(text) && !indicatorInside.test(text) && text.trim() === text;
  return isPlain ? 'plain' : 'single';
}
