import { openEmbeddedStorage } from '../../src/storage/index.ts';
import { createRandom } from './random.ts';
import { seal, sealOf } from './sealed-value.ts';

// Writes with several concurrent writers until it is killed, and prints each acknowledged write: `<revision> <key>
// <seal of the value, or - for a deletion>`. Arguments: directory, number of writers, seed.

const [directory = '', writers = '1', seed = '0'] = process.argv.slice(2);
const ownKeys = 5;
const sharedKeys = 3;
const maxPayload = 20_000;

const storage = await openEmbeddedStorage({ directory });
const { entries } = await storage.range({ start: '/', end: '0' });
const known = new Map(entries.map((entry) => [entry.key, entry.modRevision]));
// Compacts only the revisions before the start, so that the parent can read all changes of this process.
const compacting = storage.compact(storage.latestRevision());
await Promise.all([compacting, ...Array.from({ length: Number(writers) }, (_, index) => writeForever(index))]);

async function writeForever(writer: number): Promise<void> {
  const random = createRandom(Number(seed) * 1000 + writer);
  for (let turn = 0; ; turn++) {
    const shared = random(4) === 0;
    const key = shared ? `/shared/${random(sharedKeys)}` : `/own/${writer}/${random(ownKeys)}`;
    const expected = known.get(key) ?? 0;
    const payload = `${writer} ${turn} `.repeat(random(maxPayload / 100));
    const value = expected !== 0 && random(3) === 0 ? undefined : seal(key, payload);
    const result = await storage.commit({ key, expected, value });
    known.set(key, result.committed ? (value ? result.revision : 0) : (result.current?.modRevision ?? 0));
    if (result.committed) await say(`${result.revision} ${key} ${value ? sealOf(key, value) : '-'}\n`);
  }
}

/** Resolves when the line is written, so that each writer has at most one write that the parent does not know. */
function say(line: string): Promise<unknown> {
  return new Promise((resolve) => process.stdout.write(line, resolve));
}
