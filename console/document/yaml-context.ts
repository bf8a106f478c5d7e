import type { Path } from './path.ts';

/** Describes the text at a position in a document that may be incomplete. */
export interface YamlContext {
  /** The path of the object or list around the position. All list items have the index 0. */
  readonly path: Path;
  /** The name of the field whose value is being written. */
  readonly key: string | undefined;
  /** The part of the name or value that has been typed. */
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

/** Reads the indents above a place, because the document may be invalid while the user types. */
export function yamlContext(lines: readonly string[], at: { line: number; column: number }): YamlContext {
  const own = parseLine((lines[at.line] ?? '').slice(0, at.column));
  const path: (string | number)[] = [];
  // The enclosing key starts to the left of `column`. For a list it may start in the same column, because lists need
  // not be indented.
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
