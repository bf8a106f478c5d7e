import { expect, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import { describeStorage } from '../storage.conformance.ts';
import { openEmbeddedFixture } from './embedded-fixture.conformance.ts';
import { openTemporaryStorage } from './temporary-directory.conformance.ts';

// Opening a store is slow, so this file does few runs. `embedded-storage.long.test.ts` does more.
describeStorage('embedded storage', openEmbeddedFixture, { singleWriter: true, commitsTwice: true, randomRuns: 4 });

test('an abort before a watch is established rejects it, also when it had nothing to wait for', async () => {
  const storage = await openTemporaryStorage();
  const latest = await put(storage, '/a', { text: 'x' });
  for (const after of [latest - 1, latest]) {
    const recorder = new Recorder();
    const watching = recorder.watch(storage, { prefix: '/', after });
    recorder.abort();
    await expect(watching).rejects.toMatchObject({ name: 'AbortError' });
    expect(recorder.events).toEqual([]);
  }
});
