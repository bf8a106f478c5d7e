import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { StorageError } from '../storage.ts';

/**
 * `compacted`: reads below this revision are refused. `swept`: the obsolete rows up to this revision have been deleted.
 * `filling`: the revision of the source of an unfinished filling. `legacy`: rows up to this revision may come from a
 * release without row checksums. `latest`: a revision that has been reached. Absent values are 0.
 */
export type MetaName = 'compacted' | 'swept' | 'filling' | 'legacy' | 'latest';

/** The release that introduced this format added the checksum of this table, and the checksums of rows. */
const formatWithChecks = 3;

/** The numbers of a store, with a checksum of all of them. */
export class MetaTable {
  readonly #database: Database.Database;
  readonly #rows: Database.Statement<[], [name: string, value: number]>;
  readonly #write: Database.Statement<[string, number], never>;
  readonly #remove: Database.Statement<[string], never>;
  readonly #isChecked: boolean;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#rows = database
      .prepare<[], [string, number]>("SELECT name, value FROM meta WHERE name <> 'probe' ORDER BY name")
      .raw();
    this.#write = database.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
    this.#remove = database.prepare('DELETE FROM meta WHERE name = ?');
    this.#isChecked = Number(database.pragma('user_version', { simple: true })) >= formatWithChecks;
  }

  /** Undefined if it was never set. Throws `Corrupt` when any number is damaged. */
  get(name: MetaName): number | undefined {
    const rows = this.#rows.all();
    const problem = this.#problemOf(rows);
    if (problem !== undefined) throw new StorageError('Corrupt', `${this.#database.name} is damaged: ${problem}`);
    return rows.find(([each]) => each === name)?.[1];
  }

  /** Like `get`, for checks that report damage themselves. */
  unchecked(name: MetaName): number | undefined {
    return this.#rows.all().find(([each]) => each === name)?.[1];
  }

  /** What is damaged. */
  problem(): string | undefined {
    return this.#problemOf(this.#rows.all());
  }

  /** Sets the numbers, or removes those that are undefined, in one transaction. Throws `Corrupt` like `get`. */
  set(values: Readonly<Partial<Record<MetaName, number | undefined>>>): void {
    const write = (): void => {
      const problem = this.problem();
      if (problem !== undefined) throw new StorageError('Corrupt', `${this.#database.name} is damaged: ${problem}`);
      this.#store(values);
    };
    if (this.#database.inTransaction) write();
    else this.#database.transaction(write).immediate();
  }

  /** Like `set`, in a new table or in one of an earlier release, which has no checksum. */
  begin(values: Readonly<Partial<Record<MetaName, number>>>): void {
    this.#store(values);
  }

  #store(values: Readonly<Partial<Record<MetaName, number | undefined>>>): void {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) this.#remove.run(name);
      else this.#write.run(name, value);
    }
    this.#write.run(checkName, checksumOf(this.#rows.all()));
  }

  #problemOf(rows: readonly (readonly [string, unknown])[]): string | undefined {
    if (!this.#isChecked) return undefined;
    const check = rows.find(([name]) => name === checkName)?.[1];
    return check === checksumOf(rows) ? undefined : 'the checksum does not match the revisions of the compaction';
  }
}

const checkName = 'check';

function checksumOf(rows: readonly (readonly [string, unknown])[]): number {
  const numbers = rows.filter(([name]) => name !== checkName);
  return crc32(JSON.stringify(numbers));
}
