import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The package of the embedded store's database. The published package carries it with its binaries for all platforms,
 * because npm would compile it in every project that has it in its lock file (docs/adr/0015-carried-database.md).
 */
export const databasePackage = 'better-sqlite3';

/** Its module, for files beside the copy. */
export const databaseModule = `./${databasePackage}/lib/index.js`;

/** What is needed at run time, and its licence. The rest is the source of SQLite, which takes ten megabytes. */
const carriedFiles = ['LICENSE', 'lib', 'prebuilds'];

export function copyDatabasePackage(directory: string): void {
  const source = join(import.meta.dirname, '..', 'node_modules', databasePackage);
  for (const name of carriedFiles) {
    cpSync(join(source, name), join(directory, databasePackage, name), { recursive: true });
  }
  // Of its own description, only what still holds. Without a file, Node.js would take its scripts for modules.
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const description = { name, version, license, homepage, type: 'commonjs' };
  writeFileSync(join(directory, databasePackage, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}
