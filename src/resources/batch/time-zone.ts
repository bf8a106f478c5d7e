const partSyntax = /^[A-Za-z.\-_0-9+]{1,14}$/;
/** Abbreviations that the runtime knows, but that are in no database of time zones. */
const abbreviations: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

/** What is wrong with the name of a time zone, everything in order. */
export function timeZoneProblems(name: string): string[] {
  if (name === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${name}`;
  for (const part of name.split('/')) {
    if (part === '.' || part === '..' || part.startsWith('-') || !partSyntax.test(part)) return [unknown];
  }
  if (name === 'Local') return [notExplicit];
  const problems = name.toLowerCase() === 'local' ? [notExplicit] : [];
  return isTimeZone(name) ? problems : [...problems, unknown];
}

const notExplicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';

/** Asking the runtime is slow. There are only some hundreds of them. */
const known = new Set(['UTC']);

/** Names are files to kube-apiserver, so that their case matters; the runtime would not mind. */
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
