import { isObject, type Path } from './path.ts';

/** A line of YAML and the path of the value that starts in it. */
export interface YamlLine {
  readonly text: string;
  readonly path: Path;
}

/** Writes a value as YAML in the style of kubectl, with the path of the value for each line. */
export function yamlLines(value: unknown): YamlLine[] {
  const lines: YamlLine[] = [];
  if (isObject(value) && Object.keys(value).length > 0) writeFields(value, { lines, path: [], indent: '' });
  else if (Array.isArray(value) && value.length > 0) writeItems(value, { lines, path: [], indent: '' });
  else lines.push({ text: scalar(value), path: [] });
  return lines;
}

export function toYaml(value: unknown): string {
  return `${yamlLines(value)
    .map(({ text }) => text)
    .join('\n')}\n`;
}

interface Place {
  readonly lines: YamlLine[];
  readonly path: Path;
  readonly indent: string;
  /** The text before the first line instead of its indent: the dash of an item. */
  readonly lead?: string | undefined;
}

function writeFields(fields: Record<string, unknown>, { lines, path, indent, lead }: Place): void {
  let start = lead ?? indent;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const at = [...path, name];
    writeValue(value, { lines, path: at, indent, lead: `${start}${scalar(name)}:` });
    start = indent;
  }
}

function writeItems(items: readonly unknown[], { lines, path, indent }: Place): void {
  items.forEach((item, index) => {
    const at = [...path, index];
    if (isObject(item) && Object.keys(item).length > 0) {
      writeFields(item, { lines, path: at, indent: `${indent}  `, lead: `${indent}- ` });
    } else if (Array.isArray(item) && item.length > 0) {
      lines.push({ text: `${indent}-`, path: at });
      writeItems(item, { lines, path: at, indent: `${indent}  ` });
    } else writeScalar(item, { lines, path: at, indent, lead: `${indent}-` });
  });
}

function writeValue(value: unknown, { lines, path, indent, lead = '' }: Place): void {
  if (isObject(value) && Object.keys(value).length > 0) {
    lines.push({ text: lead, path });
    writeFields(value, { lines, path, indent: `${indent}  ` });
  } else if (Array.isArray(value) && value.length > 0) {
    lines.push({ text: lead, path });
    writeItems(value, { lines, path, indent });
  } else writeScalar(value, { lines, path, indent, lead });
}

function writeScalar(value: unknown, { lines, path, indent, lead = '' }: Place): void {
  if (typeof value !== 'string' || !isBlock(value)) {
    lines.push({ text: `${lead} ${scalar(value)}`, path });
    return;
  }
  const ends = value.endsWith('\n');
  lines.push({ text: `${lead} |${ends ? '' : '-'}`, path });
  const body = ends ? value.slice(0, -1) : value;
  for (const line of body.split('\n')) lines.push({ text: line === '' ? '' : `${indent}  ${line}`, path });
}

/** Whether a text can be written as a block scalar without changing its value. */
function isBlock(text: string): boolean {
  return /[^\n]\n/.test(text) && !/^[\s]|[^\n\t\x20-\x7e\u00a1-\ud7ff]|\n\n$/.test(text) && !/[ \t](\n|$)/.test(text);
}

const words = /^(true|false|yes|no|on|off|null|y|n)$/i;
const plain = /^[A-Za-z_/](?:[\w./@+=()-]|,(?! )|:(?=[\w/])| (?=[\w./(]))*$/;
const plainNumberLike = /^\d+(m|Ki|Mi|Gi|Ti|k|M|G|T|s|h|d)$|^\d+\.\d+\.\d+[\d.]*$/;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  if ((plain.test(value) && !words.test(value)) || plainNumberLike.test(value)) return value;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
