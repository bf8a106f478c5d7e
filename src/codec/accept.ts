/** One entry of an Accept header. */
export interface AcceptClause {
  /** Lowercase, like the subtype. */
  readonly type: string;
  readonly subtype: string;
  /** Zero means not acceptable. */
  readonly quality: number;
  /** All parameters except `q`, keyed by lowercase name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the entries in the client's order of preference. Entries that are not media ranges are skipped. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const text of header.split(',')) {
    const clause = parseClause(text);
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses.sort(byPreference);
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...settings] = text.split(';');
  const [type = '', subtype, ...rest] = range.split('/');
  if (rest.length > 0 || (subtype === undefined && type.trim() !== '*')) return undefined;
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const setting of settings) {
    const [name = '', value, ...more] = setting.split('=');
    if (value === undefined || value === '' || more.length > 0) continue;
    const key = name.trim().toLowerCase();
    if (key === 'q') quality = parseQuality(value);
    else parameters.set(key, value.trim());
  }
  return { type: type.trim().toLowerCase(), subtype: subtype?.trim().toLowerCase() ?? '*', quality, parameters };
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
