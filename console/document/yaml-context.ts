import type { Path } from './path.ts';

/** What is being written at a place in a document that may not be complete. */
export interface YamlContext {
  /** The object or list around the place. Items of lists are all 0. */
  readonly path: Path;
  /** The name of the field whose value is being written. */
  readonly key: string | undefined;
  /** What has been written of the name or the value. */
  readonly word: string;
}

interface ParsedLine {
  readonly dashColumn: number | undefined;
  readonly keyColumn: number;
  readonly key: string;
  readonly hasColon: boolean;
  readonly value: string;
}

function parseLine(text: string): ParsedLine {
  const [, spaces = '', dashes = '', rest = ''] = /^( *)((?:- +|-$)*)(.*)$/.exec(text) ?? [];
  const field = /^(?:"([^"]*)"|([^\s"#].*?)):(?: +(.*))?$/.exec(rest);
  return {
    dashColumn: dashes === '' ? undefined : spaces.length,
    keyColumn: spaces.length + dashes.length,
    key: field ? (field[1] ?? field[2]!) : rest.replace(/^"/, ''),
    hasColon: field !== null,
    value: field?.[3] ?? '',
  };
}

/** Reads the indents above a place, because the document need not be valid while it is written. */
export function yamlContext(lines: readonly string[], at: { line: number; column: number }): YamlContext {
  const own = parseLine((lines[at.line] ?? '').slice(0, at.column));
  const path: (string | number)[] = [];
  // The key of what is around begins left of `column`, or below it for a list, which need not be indented.
  let parent = { column: own.keyColumn, isList: false };
  if (own.dashColumn !== undefined) {
    path.unshift(0);
    parent = { column: own.dashColumn, isList: true };
  }
  for (let index = at.line - 1; index >= 0 && (parent.column > 0 || parent.isList); index--) {
    const text = lines[index]!;
    if (/^\s*(#.*)?$/.test(text)) continue;
    if (/^(---|\.\.\.)/.test(text)) break;
    const line = parseLine(text);
    const isAround = line.keyColumn < parent.column || (parent.isList && line.keyColumn === parent.column);
    if (line.dashColumn !== undefined && !parent.isList && line.keyColumn === parent.column) {
      path.unshift(0);
      parent = { column: line.dashColumn, isList: true };
    } else if (isAround && line.hasColon) {
      path.unshift(line.key);
      parent = { column: line.keyColumn, isList: false };
      if (line.dashColumn !== undefined) {
        path.unshift(0);
        parent = { column: line.dashColumn, isList: true };
      }
    }
  }
  return own.hasColon ? { path, key: own.key, word: own.value } : { path, key: undefined, word: own.key };
}
