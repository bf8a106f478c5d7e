import type { SyntaxNode, Tree } from '@lezer/common';
import { type Path, pathKey } from './path.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the positions of the fields and items of a document: the name of a field, the start of an item. */
export function yamlRanges(tree: Tree, text: string): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>();
  const visit = (node: SyntaxNode, path: Path): void => {
    let index = 0;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name === 'Pair') {
        const key = child.getChild('Key');
        const name = key ? unquote(text.slice(key.from, key.to)) : '';
        const at = [...path, name];
        ranges.set(pathKey(at), { from: (key ?? child).from, to: (key ?? child).to });
        for (let value = key?.nextSibling; value; value = value.nextSibling) visitValue(value, at);
      } else if (child.name === 'Item') {
        const at = [...path, index++];
        const value = child.lastChild;
        ranges.set(pathKey(at), { from: child.from, to: Math.min(child.to, lineEnd(text, child.from)) });
        if (value) visitValue(value, at);
      } else visitValue(child, path);
    }
  };
  const visitValue = (node: SyntaxNode, path: Path): void => {
    if (/Mapping|Sequence|Document|Stream|Tagged|Anchored/.test(node.name)) visit(node, path);
  };
  visit(tree.topNode, []);
  return ranges;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function unquote(text: string): string {
  if (text.startsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text.trim();
}
