import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagGroups } from './flag-groups.ts';
import type { Flag } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const flags: Flag<unknown>[] = Object.values(serveFlags);

it('has every flag once', () => {
  const grouped = flagGroups(serveFlags).flatMap((group) => group.flags.map(({ name }) => name));
  expect(grouped.toSorted()).toEqual(flags.map(({ name }) => name).toSorted());
  for (const { title, flags: own } of flagGroups(serveFlags)) expect(own, title).not.toEqual([]);
});

it('puts a flag without a group into Other', () => {
  const lonely = { x: { name: 'lonely', placeholder: 'X', help: 'x', parse: String } };
  expect(flagGroups(lonely).at(-1)).toEqual({ title: 'Other', flags: [lonely.x] });
  expect(flagGroups(serveFlags).map(({ title }) => title)).not.toContain('Other');
});

it.each(flags)('--$name has a text in whole sentences', ({ help }) => {
  expect(help).toMatch(/^[A-Z"/*].*/);
  expect(help).toMatch(/[.$]$/);
});

describe('the tables of the documentation', () => {
  interface Row {
    readonly flag: string;
    readonly fallback: string | undefined;
  }
  const rowsOf = async (page: string): Promise<Row[]> => {
    const text = await readFile(join(import.meta.dirname, '../..', page), 'utf8');
    return [...text.matchAll(/^\| `--([\w-]+)` *\| *([^|]*?) *\|.*\|$/gm)].map(([, flag, cell]) => ({
      flag: flag!,
      fallback: /^`(.*)`$/.exec(cell!)?.[1],
    }));
  };

  it('have every flag, with its default, and no other', async () => {
    const rows = [...(await rowsOf('docs/running.md')), ...(await rowsOf('docs/access.md'))];
    const known = new Set(flags.map(({ name }) => name));
    expect(rows.map(({ flag }) => flag).filter((flag) => !known.has(flag))).toEqual([]);
    const documented = new Set(rows.map(({ flag }) => flag));
    expect([...known].filter((name) => !documented.has(name))).toEqual([]);
    const wrong = flags.flatMap(({ name, fallback, effectiveDefault = fallback }) =>
      rows
        // The documentation explains a default that is not a value.
        .filter(
          ({ flag, fallback: documentedDefault }) =>
            flag === name && documentedDefault !== undefined && (effectiveDefault ?? '') !== '',
        )
        .filter(({ fallback: documentedDefault }) => documentedDefault !== effectiveDefault)
        .map(({ fallback: documentedDefault }) => `--${name}: ${documentedDefault} instead of ${effectiveDefault}`),
    );
    expect(wrong).toEqual([]);
  });
});
