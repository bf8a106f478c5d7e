import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folders = globSync('src/*/', { cwd: root }).map((folder) => folder.slice('src/'.length).replace(/\/$/, ''));

/** Paths in backquotes that lie in a room of `src/` or begin with another folder of the repository. */
function namedPaths(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/`([a-z][\w./-]*\/[\w./*-]*)`/g)]
    .map(([, path]) => path!)
    .filter((path) => folders.includes(path.split('/')[0]!) || /^(src|test|bench|scripts|docs|bin)\//.test(path));
}

function exists(path: string): boolean {
  return [path, join('src', path)].some((candidate) =>
    candidate.includes('*') ? globSync(candidate, { cwd: root }).length > 0 : existsSync(join(root, candidate)),
  );
}

it.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/consistency.md', 'docs/finding-your-way.md'])(
  '%s names files that exist',
  (page) => {
    const paths = namedPaths(page);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  },
);

it('README.md links to pages that exist', () => {
  const links = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(
    ([, path]) => path!,
  );
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
