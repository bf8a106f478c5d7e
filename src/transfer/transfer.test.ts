import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kubernetesLayout } from '../kubernetes-layout/index.ts';
import { createMemoryStorage, fillMemoryStorage, type Storage, TransformedStorage } from '../storage/index.ts';
import { committedTarget, copy, fileSource, fileTarget, filledTarget, storageSource, verify } from './index.ts';
import type { Source } from './source.ts';

const configMap = (name: string, data = 'x'): { key: string; value: Buffer } => ({
  key: `/registry/configmaps/default/${name}`,
  value: Buffer.from(
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","namespace":"default","uid":"u-${name}"},"data":{"d":"${data}"}}`,
  ),
});

const names = Array.from({ length: 1203 }, (_, index) => `n${String(index).padStart(5, '0')}`);

async function storageWith(objects: readonly { key: string; value: Buffer }[]): Promise<Storage> {
  const storage = createMemoryStorage();
  for (const { key, value } of objects) await storage.commit({ key, value, expected: 0 });
  return storage;
}

async function temporaryFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-transfer-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return join(directory, 'objects.jsonl');
}

const all = async (source: Source): Promise<[string, string, number, number][]> => {
  const found = [];
  for await (const entries of source.entries()) found.push(...entries);
  return found.map(({ key, value, createRevision, modRevision }) => [
    key,
    value.toString(),
    createRevision,
    modRevision,
  ]);
};

const readBack = (value: Buffer): Buffer => value;
const compared = { hasOthers: false, readBack };

test('objects go through a file with their revisions and bytes', async () => {
  const storage = await storageWith(names.map((name) => configMap(name, 'ä\\"\\u2028')));
  await storage.commit({ ...configMap('n00003', 'new'), expected: 4 });
  const source = await storageSource(storage);
  const path = await temporaryFile();
  const progress: number[] = [];
  const target = await fileTarget(path, source);
  await copy({ source, target, skipUnreadable: false, onProgress: (_phase, done) => progress.push(done) });
  await target.close();
  expect(progress).toEqual([500, 1000, 1203]);

  const file = await fileSource(path);
  expect([file.revision, await all(file)]).toEqual([1204, await all(source)]);
  const filled = filledTarget(fillMemoryStorage({ revision: file.revision }));
  await copy({ source: file, target: filled, skipUnreadable: false });
  const copied = await storageSource(filled.storage);
  const { count, digest } = await verify({ source, copied, ...compared });
  expect(count).toBe(1203);
  expect(await readFile(path, 'utf8')).toContain(`{"end":true,"count":1203,"sha256":"${digest}"}\n`);
});

test('what is no object of a known type is left out, and counted', async () => {
  const storage = await storageWith([
    configMap('a'),
    { key: '/registry/example.com/crontabs/default/x', value: Buffer.from('{}') },
    { key: '/registry/masterleases/192.0.2.1', value: Buffer.from('x') },
    { key: '/registry/podsecuritypolicies/a', value: Buffer.from('x') },
    { key: '/registry/podsecuritypolicies/b', value: Buffer.from('x') },
    { key: '/registry/ranges/serviceips', value: Buffer.from('x') },
    { key: '/other', value: Buffer.from('x') },
  ]);
  const source = await storageSource(storage);
  const target = filledTarget(fillMemoryStorage({ revision: source.revision }));
  const report = await copy({ source, target, skipUnreadable: false });
  expect(report.copied).toBe(2);
  expect([...report.leftOut]).toEqual([
    ['masterleases', 1],
    ['podsecuritypolicies', 2],
    ['ranges', 1],
  ]);
  await verify({ source, copied: await storageSource(target.storage), ...compared });
});

describe('objects that cannot be read', () => {
  const encrypted = { key: '/registry/secrets/default/s', value: Buffer.from('k8s:enc:aesgcm:v1:k:...') };
  const source = async (): Promise<Source> => {
    const behind = createMemoryStorage();
    const storage = new TransformedStorage(behind, kubernetesLayout());
    await storage.commit({ ...configMap('a'), expected: 0 });
    await behind.commit({ ...encrypted, expected: 0 });
    return storageSource(storage);
  };

  test('are an error', async () => {
    const path = await temporaryFile();
    const target = await fileTarget(path, { revision: 2 });
    onTestFinished(() => target.close());
    await expect(copy({ source: await source(), target, skipUnreadable: false })).rejects.toThrow(
      `1 objects cannot be read (--skip-unreadable leaves them out)\n  ${encrypted.key}: the value is encrypted`,
    );
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('are left out if this is wanted', async () => {
    const target = filledTarget(fillMemoryStorage({ revision: 2 }));
    expect(await copy({ source: await source(), target, skipUnreadable: true })).toMatchObject({
      copied: 1,
      unreadable: { count: 1, named: [`${encrypted.key}: the value is encrypted`] },
    });
  });
});

describe('a file', () => {
  test('is continued after an interruption, whatever its last line is', async () => {
    const source = await storageSource(await storageWith(names.map((name) => configMap(name))));
    for (const end of ['', '{"key":"/registry/configm', '{"end":true,"count":7,"sha256":"']) {
      const path = await temporaryFile();
      const first = await fileTarget(path, source);
      for await (const entries of source.entries()) {
        await first.add(entries.slice(0, 7));
        break;
      }
      await first.close();
      await appendFile(`${path}.partial`, end);
      const second = await fileTarget(path, { revision: 1_000_000 });
      expect(second).toMatchObject({ revision: 1203, after: configMap('n00006').key });
      await copy({ source, target: second, skipUnreadable: false });
      await second.close();
      await verify({ source, copied: await fileSource(path), ...compared });
    }
  });

  test('begins anew when its first line is not complete', async () => {
    const path = await temporaryFile();
    await writeFile(`${path}.partial`, '{"format":"keel');
    const target = await fileTarget(path, { revision: 5 });
    expect(target).toMatchObject({ revision: 5, after: undefined });
    await target.finish();
    await target.close();
    expect(await all(await fileSource(path))).toEqual([]);
  });

  test('is not replaced', async () => {
    const path = await temporaryFile();
    await writeFile(path, '');
    await expect(fileTarget(path, { revision: 5 })).rejects.toMatchObject({ code: 'NotEmpty' });
  });

  const line = (name: string): string => {
    const { key, value } = configMap(name);
    return `{"key":"${key}","createRevision":1,"modRevision":1,"object":${value}}\n`;
  };
  const head = '{"format":"keelson-objects","version":1,"revision":7}\n';

  test.each([
    ['another file', 'root:x:0:0\n', 'is neither a file of objects'],
    ['a file of a later version', head.replace('1', '2'), 'is neither a file of objects'],
    ['an empty file', '', 'is neither a file of objects'],
    ['no end', head + line('a'), 'is incomplete'],
    ['half a line', `${head + line('a')}{"key":`, 'is incomplete'],
    ['a line that is no object', `${head}{"key":"/registry/x"}\n`, 'line 2 of'],
    ['an object that is no JSON', head + line('a').replace('"d"', 'd'), 'line 2 of'],
    ['keys in another order', head + line('b') + line('a'), 'line 3 of'],
    ['a repeated key', head + line('a') + line('a'), 'line 3 of'],
    ['another digest', `${head + line('a')}{"end":true,"count":1,"sha256":"00"}\n`, 'has been modified'],
    ['another count', `${head}{"end":true,"count":1,"sha256":"00"}\n`, 'has been modified'],
  ])('%s is refused', async (_title, content, message) => {
    const path = await temporaryFile();
    await writeFile(path, content);
    await expect(fileSource(path).then(all)).rejects.toThrow(message);
  });
});

describe('a store that assigns revisions', () => {
  const objects = [configMap('a'), configMap('b'), configMap('c')];

  test('gets the objects, and no mark remains', async () => {
    const source = await storageSource(await storageWith(objects));
    const storage = createMemoryStorage();
    const target = await committedTarget(storage, { revision: 3, merge: false, readBack });
    await target.add([{ ...objects[0]!, createRevision: 1, modRevision: 1 }]);
    // The copy is interrupted here and then continued.
    const again = await committedTarget(storage, { revision: 3, merge: false, readBack });
    for await (const entries of source.entries()) await again.add(entries);
    const { entries } = await storage.range({ start: '/', end: '0' });
    expect(entries.map(({ key }) => key)).toEqual([...objects.map(({ key }) => key), '/registry/keelson-import']);
    await again.finish();
  });

  test('is refused when it is not empty', async () => {
    const storage = await storageWith(objects);
    await expect(committedTarget(storage, { revision: 3, merge: false, readBack })).rejects.toMatchObject({
      code: 'NotEmpty',
    });
  });

  test('may have equal objects and others when they are merged', async () => {
    const storage = await storageWith([configMap('b'), configMap('d')]);
    const target = await committedTarget(storage, { revision: 3, merge: true, readBack });
    for (const object of objects) await target.add([{ ...object, createRevision: 1, modRevision: 1 }]);
    const source = await storageSource(await storageWith(objects));
    const copied = await storageSource(storage);
    expect((await verify({ source, copied, hasOthers: true, readBack })).count).toBe(3);
    await expect(verify({ source, copied, ...compared })).rejects.toThrow(
      'the copy has /registry/configmaps/default/d',
    );
    const other = { ...configMap('d', 'y'), createRevision: 1, modRevision: 1 };
    await expect(target.add([other])).rejects.toThrow('the target has another object under');
  });
});

test.each([
  ['a missing object', [configMap('a'), configMap('c')], 'the copy does not have /registry/configmaps/default/b'],
  ['a missing last object', [configMap('a'), configMap('b')], 'the copy does not have /registry/configmaps/default/c'],
  [
    'a changed object',
    [configMap('a'), configMap('b', 'y'), configMap('c')],
    'the copy of /registry/configmaps/default/b',
  ],
  [
    'another object',
    [...['a', 'b', 'bb', 'c'].map((name) => configMap(name))],
    'the copy has /registry/configmaps/default/bb',
  ],
  ['another last object', [...['a', 'b', 'c', 'd'].map((name) => configMap(name))], 'the copy has'],
  ['nothing', [], 'the copy does not have /registry/configmaps/default/a'],
])('%s is a difference', async (_title, found, message) => {
  const source = await storageSource(await storageWith(['a', 'b', 'c'].map((name) => configMap(name))));
  const copied = await storageSource(await storageWith(found));
  await expect(verify({ source, copied, ...compared })).rejects.toThrow(message);
});

test('a source at a revision that it does not have', async () => {
  const storage = await storageWith([configMap('a'), configMap('b')]);
  const source = await storageSource(storage);
  expect(await all(await source.at(1))).toHaveLength(1);
  await storage.compact(2);
  await expect(source.at(1)).rejects.toThrow('remove it and start again');
  await expect(source.at(9)).rejects.toThrow('remove it and start again');
});
