import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The relative modules that a declaration refers to, also by a type in the text. */
const reference = /(?:from|import\() ?'(\.[^']+)\.ts'/g;

/**
 * Removes the declarations in a folder that none of the entry points reach. The compiler writes one for every module of
 * the program, most of which users cannot import.
 */
export function pruneDeclarations(folder: string, entryPoints: readonly string[]): void {
  const reached = new Set<string>();
  const pending = entryPoints.map((name) => join(folder, name));
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const directory = join(file, '..');
    for (const [, module] of readFileSync(file, 'utf8').matchAll(reference)) {
      pending.push(join(directory, `${module}.d.ts`));
    }
  }
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path);
    if (path.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
}
