import { maxSubdomainLength, patternDetail } from '../../meta/names.ts';

const keyPattern = '[-._a-zA-Z0-9]+';
const keySyntax = new RegExp(`^${keyPattern}$`);
const notKey = patternDetail(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  keyPattern,
  ['key.name', 'KEY_NAME', 'key-name'],
);

const noErrors: readonly string[] = [];

/** Validates a key of a config map or secret. It may become a file name, so path syntax is not allowed. */
export function dataKeyErrors(key: string): readonly string[] {
  if (key.length <= maxSubdomainLength && keySyntax.test(key) && !key.startsWith('.')) return noErrors;
  const errors: string[] = [];
  if (Buffer.byteLength(key) > maxSubdomainLength) {
    errors.push(`must be no more than ${maxSubdomainLength} characters`);
  }
  if (!keySyntax.test(key)) errors.push(notKey);
  if (key === '.' || key === '..') errors.push(`must not be '${key}'`);
  else if (key.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}
