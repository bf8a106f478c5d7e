export interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A field in quotes, in which quotes are doubled, or one without any; then what ends it. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r?$|)/y;

/** Comma-separated values after RFC 4180; empty lines count for nothing. Throws RangeError with the line. */
export function* readCsv(text: string): Generator<CsvRecord> {
  let line = 1;
  let begins = 1;
  let fields: string[] = [];
  field.lastIndex = 0;
  for (let at = 0; at < text.length || fields.length > 0; ) {
    field.lastIndex = at;
    const [whole, quoted, plain, end] = field.exec(text)!;
    const isLast = at + whole.length === text.length && end !== ',';
    if (end === '' && !isLast) throw new RangeError(`line ${line}: ${problemAt(text, at)}`);
    const isEmptyLine = fields.length === 0 && quoted === undefined && plain === '' && end !== ',';
    if (!isEmptyLine) fields.push(quoted?.replaceAll('""', '"') ?? plain!);
    at += whole.length;
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.length > 0) yield { line: begins, fields };
    fields = [];
    begins = line;
  }
}

function problemAt(text: string, at: number): string {
  return text[at] === '"' ? 'extraneous or missing " in quoted-field' : 'bare " in non-quoted field';
}
