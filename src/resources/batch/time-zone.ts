const segmentSyntax = /^[A-Za-z.\-_0-9+]{1,14}$/;
/** Abbreviations that the runtime accepts but that are not in the time zone database. */
const abbreviations: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

/** Returns all problems of a time zone name. */
export function timeZoneProblems(name: string): string[] {
  if (name === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${name}`;
  for (const segment of name.split('/')) {
    const isRelative = segment === '.' || segment === '..';
    if (isRelative || segment.startsWith('-') || !segmentSyntax.test(segment)) return [unknown];
  }
  if (name === 'Local') return [notExplicit];
  const problems = name.toLowerCase() === 'local' ? [notExplicit] : [];
  return isTimeZone(name) ? problems : [...problems, unknown];
}

const notExplicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';

/** Caches valid names, because the lookup in the runtime is slow. There are only a few hundred. */
const known = new Set(['UTC']);

/** Names are case-sensitive, because kube-apiserver reads them as file names. The runtime ignores case. */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  if (!/^[A-Z]/.test(name) || abbreviations.has(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    if (timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()) return false;
    known.add(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
