/** One entry of an Accept header. */
export interface AcceptClause {
  /** Lowercase, like the subtype, unless the header is taken literally. */
  readonly type: string;
  readonly subtype: string;
  /** Zero means not acceptable. */
  readonly quality: number;
  /** All parameters except `q`, keyed by lowercase name. */
  readonly parameters: ReadonlyMap<string, string>;
}

interface Reading {
  readonly name: (text: string) => string;
  readonly quality: (text: string) => number;
}

/** Returns the entries in the client's order of preference. Entries that are not media ranges are skipped. */
export function parseAccept(header: string): AcceptClause[] {
  return parseClauses(header, standard).sort(byPreference);
}

/**
 * Returns the entries in the order of kube-apiserver, for which the case of names matters, a malformed weight is zero,
 * and a wildcard with a higher weight does not come before a type behind it.
 */
export function parseAcceptLiterally(header: string): AcceptClause[] {
  const clauses = parseClauses(header, literal).filter(({ type, subtype }) => type !== '*' || subtype === '*');
  // Go sorts up to this number by insertion. For more, the order of a comparison without transitivity is arbitrary.
  return clauses.length <= 12 ? insertionSorted(clauses) : clauses.sort(byPreference);
}

const standard: Reading = { name: (text) => text.trim().toLowerCase(), quality: parseQuality };
const literal: Reading = {
  name: (text) => text.trim(),
  quality: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : 0),
};

function parseClauses(header: string, reading: Reading): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const text of header.split(',')) {
    const clause = parseClause(text, reading);
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses;
}

function parseClause(text: string, { name: nameOf, quality: qualityOf }: Reading): AcceptClause | undefined {
  const [range = '', ...settings] = text.split(';');
  const [type = '', subtype, ...rest] = range.split('/');
  if (rest.length > 0 || (subtype === undefined && type.trim() !== '*')) return undefined;
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const setting of settings) {
    const [name = '', value, ...more] = setting.split('=');
    if (value === undefined || value === '' || more.length > 0) continue;
    const key = nameOf(name);
    if (key === 'q') quality = qualityOf(value);
    else parameters.set(key, value.trim());
  }
  return { type: nameOf(type), subtype: subtype === undefined ? '*' : nameOf(subtype), quality, parameters };
}

/** Only an explicit weight of zero excludes a type. A malformed weight ranks last but still counts as acceptable. */
function parseQuality(text: string): number {
  const quality = Number(text);
  return quality >= 0 && text.trim() !== '' ? quality : Number.MIN_VALUE;
}

/** The sort is stable, so equal clauses keep the client's order. */
function byPreference(a: AcceptClause, b: AcceptClause): number {
  if (a.quality !== b.quality) return b.quality - a.quality;
  if (a.type !== b.type && (a.type === '*' || b.type === '*')) return a.type === '*' ? 1 : -1;
  if (a.subtype !== b.subtype && (a.subtype === '*' || b.subtype === '*')) return a.subtype === '*' ? 1 : -1;
  return 0;
}

function insertionSorted(clauses: AcceptClause[]): AcceptClause[] {
  for (let end = 1; end < clauses.length; end++) {
    for (let at = end; at > 0 && isBefore(clauses[at]!, clauses[at - 1]!); at--) {
      clauses.splice(at - 1, 2, clauses[at]!, clauses[at - 1]!);
    }
  }
  return clauses;
}

function isBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}
