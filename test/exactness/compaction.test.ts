import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { versionOf } from './api-object.ts';
import { http1Connection } from './connection.ts';
import { list } from './listing.ts';
import { runScenario, type ScenarioState } from './scenario.ts';
import { isThorough, seeds, timeLimit } from './seeds.ts';
import { wholeType } from './selection.ts';
import { startTestedServer } from './tested-server.ts';

const selection = wholeType('configmaps');

it.each(['memory', 'embedded'] as const)(
  'every client recovers from expired versions: %s',
  async (storage) => {
    for (const seed of seeds(1)) {
      const dataDir = storage === 'embedded' ? await temporaryDirectory() : undefined;
      const options = { storage, compactionRetentionMs: 400, ...(dataDir !== undefined && { dataDir }) };
      const subject = await startTestedServer(options, { expires: true });
      const counts = await runScenario({
        seed,
        subject,
        rounds: 2,
        writers: 5,
        operations: isThorough ? 30 : 20,
        informers: isThorough ? 12 : 9,
        after: forget,
      });
      expect(counts.expiredWatches).toBeGreaterThan(0);
    }
  },
  timeLimit,
);

/**
 * Compacts the history while some clients are disconnected and one is in the middle of a list, so that all their
 * versions expire.
 */
async function forget(scene: ScenarioState): Promise<void> {
  const { informers, subject, progress, chunks, round } = scene;
  const { promise, resolve: release } = Promise.withResolvers<void>();
  for (const [index, informer] of informers.entries()) if (index % 3 === round) informer.hold(promise);
  const connection = http1Connection(subject.api);
  onTestFinished(() => connection.close());
  let forgotten: Promise<void> | undefined;
  const rest = (): Promise<void> => {
    forgotten ??= expire(scene);
    return forgotten;
  };
  const plan = { version: { match: 'newest' }, limit: 3, inconsistent: true, rest } as const;
  const listing = await list({ connection, progress, selection }, plan).finally(release);
  // One chunk shows the first state, the others show a newer one.
  expect(listing.expired).toBe(true);
  expect(new Set(listing.chunks.map(({ version }) => version)).size).toBe(2);
  chunks.push(...listing.chunks);
}

/** Resolves when the current version has expired. This requires a newer version. */
async function expire({ subject: { api }, writer, round }: ScenarioState): Promise<void> {
  const resourceVersion = versionOf((await api.get(selection.path)).body);
  await writer.mark(selection.type, `mark-${round}`);
  const query = `limit=1&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
  const expired = async () => (await api.get(`${selection.path}?${query}`)).status === 410;
  await vi.waitUntil(expired, { interval: 20 });
}
