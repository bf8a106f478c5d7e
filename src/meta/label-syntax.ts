import { isDnsSubdomain, maxSubdomainLength, notSubdomain, patternDetail, subdomainSyntax } from './names.ts';

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valuePattern = `(${namePattern})?`;
const maxNameLength = 63;
const maxValueLength = 63;

const nameSyntax = new RegExp(`^${namePattern}$`);
const valueSyntax = new RegExp(`^${valuePattern}$`);
const notName = patternDetail(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  namePattern,
  ['MyName', 'my.name', '123-abc'],
);
const notValue = patternDetail(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  valuePattern,
  ['MyValue', 'my_value', '12345'],
);
const tooManySlashes = `a valid label key ${notName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

const nothing: readonly string[] = [];

/** Keys that are known to be valid. A cluster uses a small set of keys, and a lookup costs a tenth of a validation. */
const knownKeys = new Set<string>();
const maxKnownKeys = 2048;

/**
 * Validates a qualified name: an optional DNS subdomain and a name. Label keys, finalizers and taint keys have this
 * syntax.
 */
export function labelKeyErrors(key: string): readonly string[] {
  if (knownKeys.has(key)) return nothing;
  const errors = qualifiedNameErrors(key);
  if (errors.length > 0) return errors;
  if (knownKeys.size === maxKnownKeys) knownKeys.clear();
  knownKeys.add(key);
  return nothing;
}

function qualifiedNameErrors(key: string): readonly string[] {
  const segments = key.split('/');
  if (segments.length > 2) return [tooManySlashes];
  const [name = '', prefix] = segments.toReversed();
  const errors = prefix === undefined ? [] : prefixErrors(prefix);
  if (name === '') errors.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > maxNameLength) errors.push(`name part ${tooLongText(maxNameLength)}`);
  if (!nameSyntax.test(name)) errors.push(`name part ${notName}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  if (isDnsSubdomain(prefix)) return [];
  const errors: string[] = [];
  if (Buffer.byteLength(prefix) > maxSubdomainLength) errors.push(`prefix part ${tooLongText(maxSubdomainLength)}`);
  if (!subdomainSyntax.test(prefix)) errors.push(`prefix part ${notSubdomain}`);
  return errors;
}

export function labelValueErrors(value: string): readonly string[] {
  if (value.length <= maxValueLength && valueSyntax.test(value)) return nothing;
  const errors: string[] = [];
  if (Buffer.byteLength(value) > maxValueLength) errors.push(tooLongText(maxValueLength));
  if (!valueSyntax.test(value)) errors.push(notValue);
  return errors;
}

/** Validates an annotation key: a label key that may contain upper-case letters in its prefix. */
export function annotationKeyErrors(key: string): readonly string[] {
  // A valid label key is also valid in lower case.
  return knownKeys.has(key) ? nothing : labelKeyErrors(key.toLowerCase());
}

function tooLongText(maxLength: number): string {
  return `must be no more than ${maxLength} bytes`;
}
