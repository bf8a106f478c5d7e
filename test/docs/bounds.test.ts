import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveFlags } from '../../src/cli/serve-flags.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
const section = page.slice(page.indexOf('## What is bounded'), page.indexOf('## Sharing the event loop'));

interface Row {
  readonly what: string;
  readonly bound: string;
  readonly where: string;
}

const rows: Row[] = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => {
    const [, what = '', bound = '', where = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { what, bound, where };
  });

/** The constants that a row names: `file` `name` `name`; `file` `name`. */
function constantsOf({ where }: Row): { readonly file: string; readonly name: string }[] {
  return where.split(';').flatMap((place) => {
    const [file = '', ...names] = [...place.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
    return names.map((name) => ({ file, name }));
  });
}

/** The value that a source file gives a name: `const name = 2 * 1024`, `name: 2 * 1024` or `name ?? 2 * 1024`. */
function numberIn(file: string, name: string): number {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  const found = new RegExp(`\\b${name}(?: =|:|\\)? \\?\\?) ([\\d_.]+(?: \\* [\\d_.]+)*)`).exec(source);
  if (found === null) throw new Error(`${file} has no number ${name}`);
  return found[1]!.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

/** The ways in which the table writes a number. */
function spellings(value: number): string[] {
  return [
    value.toLocaleString('en-US'),
    `${value / 1000} s`,
    `${value} ms`,
    `${value / 1024} KiB`,
    `${value / (1024 * 1024)} MiB`,
  ];
}

it('the table has many rows', () => {
  expect(rows.length).toBeGreaterThan(50);
});

it.each(rows.flatMap((row) => constantsOf(row).map((constant) => ({ ...row, ...constant }))))(
  '$what: $file $name',
  ({ bound, file, name }) => {
    const value = numberIn(file, name);
    expect(spellings(value).some((text) => new RegExp(`(^|[^\\d.,])${text}($|[^\\d])`).test(bound))).toBe(true);
  },
);

it('names flags that exist', () => {
  const flags = new Set(Object.values(serveFlags).map(({ name }): string => `--${name}`));
  const named = rows.flatMap(({ bound }) => bound.match(/--[a-z0-9-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
});
