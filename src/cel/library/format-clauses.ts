import { CelError } from '../cel-error.ts';

/** One `%...` of a format text. */
export interface FormatClause {
  readonly verb: FormatVerb;
  /** Undefined without `.` and digits. */
  readonly precision: number | undefined;
}

export type FormatVerb = 's' | 'd' | 'f' | 'e' | 'b' | 'o' | 'x' | 'X';

export interface FormatArguments {
  readonly count: number;
  /** The text of an argument. Called once for each clause, in order. */
  write(clause: FormatClause, index: number): string;
}

const verbs: ReadonlySet<string> = new Set<FormatVerb>(['s', 'd', 'f', 'e', 'b', 'o', 'x', 'X']);
const precisionDigits = /[0-9]*/y;
const maxInt = 2n ** 63n - 1n;

/** Replaces the clauses of a format text. Throws where the text or the arguments do not fit. */
export function interpolate(text: string, args: FormatArguments): string {
  const pieces: string[] = [];
  let index = 0;
  let end = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', end)) {
    pieces.push(text.slice(end, at));
    if (text[at + 1] === '%') {
      pieces.push('%');
      end = at + 2;
      continue;
    }
    if (index >= args.count) throw new CelError(`index ${index} out of range`);
    if (at + 1 === text.length) throw new CelError('unexpected end of string');
    const clause = readClause(text, at + 1);
    end = clause.end;
    pieces.push(args.write(clause, index++));
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

function readClause(text: string, start: number): FormatClause & { readonly end: number } {
  let end = start;
  let precision: number | undefined;
  if (text[start] === '.') {
    precisionDigits.lastIndex = start + 1;
    const [digits] = precisionDigits.exec(text)!;
    end = precisionDigits.lastIndex;
    if (end === text.length) throw wrongPrecision('could not find end of precision specifier');
    precision = precisionOf(digits);
  }
  const verb = text[end]!;
  if (verbs.has(verb)) return { verb: verb as FormatVerb, precision, end: end + 1 };
  // Kubernetes reads the text byte by byte.
  const [byte] = Buffer.from(String.fromCodePoint(text.codePointAt(end)!));
  throw wrongClause(`unrecognized formatting clause "${String.fromCharCode(byte!)}"`);
}

function precisionOf(digits: string): number {
  const problem = digits === '' ? 'invalid syntax' : BigInt(digits) > maxInt ? 'value out of range' : undefined;
  if (problem === undefined) return Number(digits);
  throw wrongPrecision(`error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`);
}

const wrongPrecision = (problem: string): CelError => wrongClause(`error while parsing precision: ${problem}`);
const wrongClause = (problem: string): CelError => new CelError(`could not parse formatting clause: ${problem}`);

const requirements: Readonly<Record<FormatVerb, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  o: 'octal clause can only be used on integers',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
};

/** The error for an argument whose type does not fit its clause. */
export function wrongArgument(verb: FormatVerb, type: string): CelError {
  return formattingError(`${requirements[verb]}, was given ${type}`);
}

export function formattingError(problem: string): CelError {
  return new CelError(`error during formatting: ${problem}`);
}
