import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { specification } from '../../src/meta/compatibility.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/decisions.md'), 'utf8');
const [, ...sections] = page.split(/^## /m).map((text) => ({ title: text.slice(0, text.indexOf('\n')), text }));
const reasons = ['better', 'safer', 'own', 'fault'];
const decisions = Object.keys(specification);

interface Difference {
  readonly section: string;
  readonly subject: string;
  readonly mark: string;
}

const rows: Difference[] = sections.flatMap(({ title, text }) =>
  text
    .split('\n')
    .filter(
      (line, index, lines) => line.startsWith('| ') && !/^\| -/.test(line) && !/^\| -/.test(lines[index + 1] ?? ''),
    )
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { section: title, subject: cells[1]!, mark: cells.length === 6 ? cells[4]! : '' };
    }),
);

/** Paragraphs and points that describe a difference in words. */
const texts: Difference[] = sections.flatMap(({ title, text }) => {
  const ofSection = /^Flag for texts: (\w+)\.$/m.exec(text)?.[1] ?? '';
  return text
    .split(/\n\n|\n(?=- )/)
    .slice(1)
    .filter((paragraph) => !paragraph.startsWith('| ') && !paragraph.startsWith('Flag for texts: '))
    .map((paragraph) => ({
      section: title,
      subject: paragraph.slice(0, 60),
      mark: /\(Flag: ([^()]+)\.\)$/.exec(paragraph.trim())?.[1] ?? ofSection,
    }));
});

it('docs/decisions.md marks every difference', () => {
  expect(rows.length).toBeGreaterThan(90);
  expect(texts.length).toBeGreaterThan(60);
  const known = ({ mark }: Difference): boolean =>
    reasons.includes(mark) || mark.split(', ').every((name) => decisions.includes(/^`(\w+)`$/.exec(name)?.[1] ?? ''));
  expect([...rows, ...texts].filter((difference) => !known(difference))).toEqual([]);
});

it('every decision is named by a difference', () => {
  const named = new Set([...rows, ...texts].flatMap(({ mark }) => mark.split(', ')));
  expect(decisions.filter((name) => !named.has(`\`${name}\``))).toEqual([]);
});
