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

interface LineParts {
  readonly dashColumn: number | undefined;
  readonly keyColumn: number;
  readonly key: string;
  readonly hasColon: boolean;
  readonly value: string;
}

function partsOf(text: string): LineParts {
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
  const own = partsOf((lines[at.line] ?? '').slice(0, at.column));
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
    const parts = partsOf(text);
    const isAround = parts.keyColumn < parent.column || (parent.isList && parts.keyColumn === parent.column);
    if (parts.dashColumn !== undefined && !parent.isList && parts.keyColumn === parent.column) {
      path.unshift(0);
      parent = { column: parts.dashColumn, isList: true };
    } else if (isAround && parts.hasColon) {
      path.unshift(parts.key);
      parent = { column: parts.keyColumn, isList: false };
      if (parts.dashColumn !== undefined) {
        path.unshift(0);
        parent = { column: parts.dashColumn, isList: true };
      }
    }
  }
  return own.hasColon ? { path, key: own.key, word: own.value } : { path, key: undefined, word: own.key };
}
