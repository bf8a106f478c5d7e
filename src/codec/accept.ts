/** One entry of an Accept header. */
export interface AcceptClause {
  /** In lower case, as is the subtype. */
  readonly type: string;
  readonly subtype: string;
  /** Zero: not acceptable. */
  readonly quality: number;
  /** The parameters beside `q`, by names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The entries in the order in which the client prefers them; those that are no media range are left out. */
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

/** Only a weight that says zero refuses. One that cannot be read comes last, but still asks for something. */
function parseQuality(text: string): number {
  const quality = Number(text);
  return quality >= 0 && text.trim() !== '' ? quality : Number.MIN_VALUE;
}

/** The sort is stable: equal clauses stay in the client's order. */
function byPreference(a: AcceptClause, b: AcceptClause): number {
  if (a.quality !== b.quality) return b.quality - a.quality;
  if (a.type !== b.type && (a.type === '*' || b.type === '*')) return a.type === '*' ? 1 : -1;
  if (a.subtype !== b.subtype && (a.subtype === '*' || b.subtype === '*')) return a.subtype === '*' ? 1 : -1;
  return 0;
}
