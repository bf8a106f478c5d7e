import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { put, Recorder, remove } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const programs = newestEtcds();
const rounds = 15;

describe.skipIf(programs.length === 0).each(programs)('compaction of etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program });
  });
  afterAll(() => cluster.stop());

  const open = (): Promise<Storage> => openEtcdStorage({ endpoints: cluster.endpoints, root: '', prefix: '/race' });

  /** Writes, replaces and deletes keys. Returns the events that a watch from before must report. */
  async function write(storage: Storage): Promise<string[]> {
    const received: string[] = [];
    for (let index = 0; index < 10; index++) {
      const key = `/k/${index}`;
      const created = await put(storage, key, { text: 'a' });
      const updated = await put(storage, key, { text: 'b', expected: created });
      const deleted = await remove(storage, key, updated);
      received.push(`${created} ${key}=a`, `${updated} ${key}=b was a`, `${deleted} ${key} gone was b`);
    }
    return received;
  }

  test('during a watch from the past ends it, or the watch is complete', async () => {
    const writer = await open();
    const outcomes = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const base = await writer.latestRevision();
      const all = await write(writer);
      // Compacts exactly to the revision at which the watch starts: an update or a deletion, which etcd would silently
      // omit.
      const index = 1 + (round % 2) + 3 * (round % 10);
      const expected = all.slice(index);
      // The feed of this store starts now, so it must read the history.
      const late = await open();
      const recorder = new Recorder();
      const watching = recorder.watch(late, { prefix: '/k/', after: base + index });
      const compacting = round % 5 === 3 ? undefined : writer.compact(base + index + 1);
      const [outcome] = await Promise.allSettled([watching, compacting]);
      outcomes.add(outcome.status);
      if (outcome.status === 'fulfilled') expect(recorder.eventTexts(0)).toEqual(expected);
      else expect(outcome.reason).toMatchObject({ code: 'RevisionCompacted' });
      // The events before the end are correct as well.
      expect(recorder.eventTexts(0)).toEqual(expected.slice(0, recorder.events.length));
      await late.close();
    }
    expect(outcomes).toContain('fulfilled');
    await writer.close();
  });
});
