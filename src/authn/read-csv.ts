export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A quoted field, in which quotes are doubled, or an unquoted one; then the delimiter. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r?$|)/y;

/**
 * Parses comma-separated values as defined by RFC 4180 and skips empty lines. Throws a RangeError that names the line.
 */
export function* readCsv(text: string): Generator<CsvRecord> {
  let line = 1;
  let firstLine = 1;
  let fields: string[] = [];
  field.lastIndex = 0;
  for (let offset = 0; offset < text.length || fields.length > 0; ) {
    field.lastIndex = offset;
    const [whole, quoted, plain, end] = field.exec(text)!;
    const isLast = offset + whole.length === text.length && end !== ',';
    if (end === '' && !isLast) throw new RangeError(`line ${line}: ${problemAt(text, offset)}`);
    const isEmptyLine = fields.length === 0 && quoted === undefined && plain === '' && end !== ',';
    if (!isEmptyLine) fields.push(quoted?.replaceAll('""', '"') ?? plain!);
    offset += whole.length;
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.length > 0) yield { line: firstLine, fields };
    fields = [];
    firstLine = line;
  }
}

function problemAt(text: string, at: number): string {
  return text[at] === '"' ? 'extraneous or missing " in quoted-field' : 'bare " in non-quoted field';
}
