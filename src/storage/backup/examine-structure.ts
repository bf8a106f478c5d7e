import type { StoreReader } from './store-reader.ts';

/** Finds problems in the tables and indexes of a store. Does not check values. */
export interface StructuralDamage {
  /** An index can be rebuilt from its table. */
  readonly area: 'file' | 'index' | 'history';
  readonly text: string;
}

const maxFound = 100;

/** Checks the file, its indexes and the order of revisions. Finds at most a hundred faults of each. */
export function* examineStructure(store: StoreReader): Generator<StructuralDamage> {
  yield* examineFile(store);
  yield* examineMeta(store);
  yield* examineHistory(store);
}

function* examineFile({ database }: StoreReader): Generator<StructuralDamage> {
  const lines = database.prepare<[], string>(`PRAGMA integrity_check(${maxFound})`).pluck().all();
  for (const text of lines) {
    if (text === 'ok') continue;
    yield { area: /\bindex\b/i.test(text) ? 'index' : 'file', text };
  }
}

function* examineMeta(store: StoreReader): Generator<StructuralDamage> {
  const problem = store.metaProblem();
  if (problem !== undefined) yield { area: 'history', text: problem };
  const [compacted, swept] = [store.meta('compacted'), store.meta('swept')];
  if (!isRevision(compacted) || !isRevision(swept) || swept > compacted) {
    yield { area: 'history', text: `history is removed up to ${swept} of ${compacted}, which cannot be` };
  }
  const filling = store.meta('filling');
  if (filling !== undefined) yield { area: 'history', text: 'an import is not finished: run it again' };
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Each row with the one before it of the same key. `swept` is the revision up to which rows that were replaced have
 * been removed, and deletions as well.
 */
const chains = `
  SELECT key, rev, create_rev, prev_rev, value IS NULL AND create_rev = 0 AS deletes,
    lag(rev) OVER w AS before, lag(create_rev) OVER w AS created
  FROM history WINDOW w AS (PARTITION BY key ORDER BY rev)`;

/** A problem of a row, with the SQL condition that finds it. */
const faults: readonly (readonly [condition: string, text: string])[] = [
  ["typeof(key) <> 'text' OR key = ''", 'it has no key'],
  ['rev < 1 OR create_rev < 0 OR create_rev > rev', 'its revisions are out of order'],
  ['prev_rev < 0 OR prev_rev >= rev', 'it replaces a later value'],
  ['rev > :swept AND before IS NULL AND prev_rev <> 0', 'the value that it replaces is missing'],
  ['before IS NOT NULL AND created <> 0 AND prev_rev <> before', 'it does not replace the value before it'],
  ['before IS NOT NULL AND created = 0 AND (prev_rev <> 0 OR deletes)', 'it follows a deletion but says otherwise'],
  ['created > 0 AND NOT deletes AND create_rev <> created', 'its key was created at another revision'],
  ['rev <= :swept AND (before IS NOT NULL OR deletes)', 'it belongs to history that has been removed'],
];

function* examineHistory(store: StoreReader): Generator<StructuralDamage> {
  const cases = faults.map(([condition], index) => `WHEN ${condition} THEN ${index}`).join(' ');
  const rows = store.database
    .prepare<[{ swept: number }], [key: unknown, revision: number, fault: number]>(
      `SELECT key, rev, CASE ${cases} END AS fault FROM (${chains}) WHERE fault IS NOT NULL LIMIT ${maxFound}`,
    )
    .raw()
    .iterate({ swept: Number(store.meta('swept') ?? 0) });
  for (const [key, revision, fault] of rows) {
    yield { area: 'history', text: `revision ${revision} (${key}): ${faults[fault]![1]}` };
  }
}
