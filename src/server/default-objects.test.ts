import { expect, it, onTestFinished } from 'vitest';
import { createMemoryStorage, type Storage } from '../storage/index.ts';
import { startServerOn } from './start-server.ts';

const all = { start: '/registry/', end: '/registry0' };

interface Stored {
  /** The objects by key, without the values that differ between any two servers. */
  readonly objects: Readonly<Record<string, string>>;
  readonly uids: readonly string[];
  /** The keys that were written once. */
  readonly writtenOnce: readonly string[];
}

async function stored(storage: Storage): Promise<Stored> {
  // No controllers run, because they would continue to write.
  const server = await startServerOn(async () => storage, { storage: 'memory', controllers: [] });
  onTestFinished(() => server.stop());
  const { entries } = await storage.range(all);
  const port = new URL(server.url).port;
  const objects = Object.fromEntries(
    entries.map(({ key, value }) => [
      key,
      value
        .toString()
        .replace(/"uid":"[0-9a-f-]{36}"/, '"uid":""')
        .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"time"')
        .replaceAll(/-----BEGIN CERTIFICATE[^"]*/g, 'certificate')
        .replaceAll(port, 'port'),
    ]),
  );
  const uids = entries.map(({ value }) => JSON.parse(value.toString()).metadata?.uid as string);
  const once = entries.filter(({ createRevision, modRevision }) => createRevision === modRevision);
  return { objects, uids, writtenOnce: once.map(({ key }) => key) };
}

const isPrepared = /^.registry.(clusterrole|role|flowschema|prioritylevel|apiregistration|namespaces|priorityclasses)/;
const other = '/registry/configmaps/any/other';

it('are the same from prepared bytes as from requests, on every server of the process', async () => {
  const first = await stored(createMemoryStorage());
  const second = await stored(createMemoryStorage());
  const used = createMemoryStorage();
  await used.commit({ key: other, expected: 0, value: Buffer.from('{"kind":"ConfigMap"}') });
  const { [other]: _, ...requested } = (await stored(used)).objects;
  expect(Object.keys(requested).length).toBeGreaterThan(180);
  expect(first.objects).toEqual(requested);
  expect(second.objects).toEqual(requested);
  const uids = [...first.uids, ...second.uids];
  expect(new Set(uids).size).toBe(uids.length);
  expect(first.writtenOnce).toEqual(
    expect.arrayContaining(Object.keys(requested).filter((key) => isPrepared.test(key))),
  );
});
