/**
 * `npm run check:arrows`: checks that imports between rooms keep to the arrows of `.dependency-cruiser.cjs`, that every
 * arrow is used, and that `docs/architecture.md` shows the same arrows.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const configuration = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
const { arrows, isTest, ...rules } = configuration as {
  readonly arrows: Readonly<Record<string, readonly string[]>>;
  readonly isTest: RegExp;
  readonly forbidden: IForbiddenRuleType[];
  readonly options: object;
};

const { output } = await cruise(
  ['src', 'console', 'bench', 'test', 'scripts'],
  { ruleSet: { forbidden: rules.forbidden }, validate: true, ...rules.options },
  { bustTheCache: true },
  { tsConfig: extractTsConfig('tsconfig.json') },
);
const result = output as ICruiseResult;
const problems = [...forbiddenImports(result), ...unusedArrows(result), ...undocumentedArrows()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${result.summary.totalCruised} files keep to the arrows, and every arrow is used.`);

function forbiddenImports({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`);
}

function unusedArrows({ modules }: ICruiseResult): string[] {
  const used = new Set(
    modules
      .filter(({ source }) => !isTest.test(source))
      .flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${roomOf(source)} -> ${roomOf(resolved)}`),
      ),
  );
  return Object.entries(arrows).flatMap(([from, targets]) =>
    targets
      .filter((to) => !used.has(`${from} -> ${to}`))
      .map((to) => `The arrow ${from} -> ${to} is not used: remove it from .dependency-cruiser.cjs.`),
  );
}

function roomOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

/** Parses the table of arrows: a row names its rooms, then what they may import. */
function undocumentedArrows(): string[] {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const table = page.slice(page.indexOf('\n## Arrows\n')).split('\n## ')[1] ?? '';
  const rows = table.split('\n').flatMap((line) => {
    const [, from, to] = line.split('|');
    return to === undefined ? [] : names(from!).map((name) => [name, names(to).toSorted().join(', ')] as const);
  });
  const documented = new Map(rows);
  return Object.entries(arrows).flatMap(([from, targets]) => {
    const wanted = targets.toSorted().join(', ');
    const shown = documented.get(from);
    return shown === wanted ? [] : [`docs/architecture.md shows other arrows of ${from}: "${shown}", not "${wanted}".`];
  });
}

function names(cell: string): string[] {
  return [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);
}
