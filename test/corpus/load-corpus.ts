import { readdirSync } from 'node:fs';
import type { CorpusEntry } from './corpus-entry.ts';

/** Loads the entries of all files in this directory that export a corpus. */
export async function loadCorpus(): Promise<CorpusEntry[]> {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => /^[a-z.]+\.ts$/.test(file) && !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<{ corpus?: CorpusEntry[] }>));
  return modules.flatMap(({ corpus = [] }) => corpus);
}
