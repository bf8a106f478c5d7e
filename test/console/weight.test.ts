import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { distFolder } from '../../scripts/output-folders.ts';

const pages = join(distFolder, 'console');

it('loads little data with the first page', async () => {
  const page = await readFile(join(pages, 'index.html'), 'utf8');
  const files = [...page.matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, path]) => path!);
  expect(files.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
  // The page loads nothing from other origins.
  expect(page.match(/(?:href|src)="(?!\/console\/)[^"]*"/g)).toBeNull();
  const sizes = await Promise.all(
    ['index.html', ...files].map(async (path) => (await stat(join(pages, `${path}.gz`))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200 * 1024);
});
