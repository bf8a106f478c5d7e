import { isJsonObject } from '../meta/json-object.ts';

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

/** A JSON patch that turns one value into another. Members that are undefined count as absent. */
export function jsonDiff(before: unknown, after: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare({ before, after }, '', operations);
  return operations;
}

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

function compare({ before, after }: Change, path: string, operations: JsonPatchOperation[]): void {
  if (before === after) return;
  const found = { path, operations };
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, found);
  else if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, found);
  else operations.push({ op: 'replace', path, value: after });
}

interface Found {
  readonly path: string;
  readonly operations: JsonPatchOperation[];
}

function compareObjects(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  { path, operations }: Found,
): void {
  for (const [name, value] of Object.entries(before)) {
    const next = Object.hasOwn(after, name) ? after[name] : undefined;
    const member = `${path}/${escaped(name)}`;
    if (value === undefined) continue;
    if (next === undefined) operations.push({ op: 'remove', path: member });
    else compare({ before: value, after: next }, member, operations);
  }
  for (const [name, value] of Object.entries(after)) {
    const isNew = !Object.hasOwn(before, name) || before[name] === undefined;
    if (isNew && value !== undefined) operations.push({ op: 'add', path: `${path}/${escaped(name)}`, value });
  }
}

function compareLists(before: readonly unknown[], after: readonly unknown[], { path, operations }: Found): void {
  const common = Math.min(before.length, after.length);
  for (let index = 0; index < common; index++) {
    compare({ before: before[index], after: after[index] }, `${path}/${index}`, operations);
  }
  for (let index = before.length - 1; index >= common; index--)
    operations.push({ op: 'remove', path: `${path}/${index}` });
  for (const value of after.slice(common)) operations.push({ op: 'add', path: `${path}/-`, value });
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
