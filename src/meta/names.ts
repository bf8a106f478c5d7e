/**
 * dnsSubdomain: lower case, dots allowed, up to 253 characters; dnsLabel: no dots, up to 63 characters; pathSegment:
 * anything that fits in one segment of a URL path.
 */
export type NameRule = 'dnsSubdomain' | 'dnsLabel' | 'pathSegment';

/**
 * Returns everything that is wrong with a name; an empty list if it is valid. With `prefix`, the text is a
 * `generateName`, to which the server appends characters.
 */
export type NameCheck = (name: string, options?: { readonly prefix?: boolean }) => readonly string[];

const nothing: readonly string[] = [];

/** Describes a mismatch with a pattern: a sentence, examples and the pattern itself. */
export function patternDetail(sentence: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${sentence} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const label1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';

const labelSyntax = new RegExp(`^${labelPattern}$`);
export const subdomainSyntax = new RegExp(`^${subdomainPattern}$`);
const label1035Syntax = new RegExp(`^${label1035Pattern}$`);

const maxLabelLength = 63;
export const maxSubdomainLength = 253;

const notLabel = patternDetail(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelPattern,
  ['my-name', '123-abc'],
);
export const notSubdomain = patternDetail(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainPattern,
  ['example.com'],
);
const notLabel1035 = patternDetail(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035Pattern,
  ['my-name', 'abc-123'],
);

export const dnsLabelErrors: NameCheck = (name, options) => {
  const text = options?.prefix ? withoutTrailingDash(name) : name;
  if (text.length <= maxLabelLength && labelSyntax.test(text)) return nothing;
  const errors = lengthErrors(text, maxLabelLength);
  if (!labelSyntax.test(text)) errors.push(subdomainSyntax.test(text) ? 'must not contain dots' : notLabel);
  return errors;
};

export const dnsSubdomainErrors: NameCheck = (name, options) => {
  const text = options?.prefix ? withoutTrailingDash(name) : name;
  if (isDnsSubdomain(text)) return nothing;
  const errors = lengthErrors(text, maxSubdomainLength);
  if (!subdomainSyntax.test(text)) errors.push(notSubdomain);
  return errors;
};

/**
 * The same rule as `dnsSubdomain`, but the message says bytes instead of characters. Some newer types use this wording.
 */
export const dnsSubdomainByteErrors: NameCheck = (name, options) =>
  dnsSubdomainErrors(name, options).map((text) => text.replace(/^(must be no more than \d+) characters$/, '$1 bytes'));

export const dns1035LabelErrors: NameCheck = (name, { prefix = false } = {}) => {
  const text = prefix ? withoutTrailingDash(name) : name;
  if (text.length <= maxLabelLength && label1035Syntax.test(text)) return nothing;
  const errors = lengthErrors(text, maxLabelLength);
  if (!label1035Syntax.test(text)) errors.push(notLabel1035);
  return errors;
};

/** The minimum requirement for any name: it fits in one segment of a URL path. */
export const pathSegmentErrors: NameCheck = (name, { prefix = false } = {}) => {
  const errors: string[] = [];
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  for (const character of ['/', '%']) {
    if (name.includes(character)) errors.push(`may not contain '${character}'`);
  }
  return errors;
};

const checks: Readonly<Record<NameRule, NameCheck>> = {
  dnsLabel: dnsLabelErrors,
  dnsSubdomain: dnsSubdomainErrors,
  pathSegment: pathSegmentErrors,
};

/** Returns the check for a rule. */
export function nameCheck(rule: NameRule | NameCheck): NameCheck {
  return typeof rule === 'string' ? checks[rule] : rule;
}

export function isDnsSubdomain(text: string): boolean {
  return text.length <= maxSubdomainLength && subdomainSyntax.test(text);
}

function lengthErrors(text: string, maxLength: number): string[] {
  return Buffer.byteLength(text) > maxLength ? [`must be no more than ${maxLength} characters`] : [];
}

/** Drops a trailing dash, which is valid in a prefix because characters follow it. Keeps all other mistakes. */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}
