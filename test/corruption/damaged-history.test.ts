import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';

const maps = '/api/v1/namespaces/default/configmaps';

it('damage that a compaction finds is logged, counted and listed by /readyz, and destroys nothing', async () => {
  const dataDir = await temporaryDirectory();
  const options = { storage: 'embedded', dataDir, threads: 1 } as const;
  const before = await TestApi.start(options);
  const only = await before.post(maps, { metadata: { name: 'only' }, data: { a: '1' } });
  await before.post(maps, { metadata: { name: 'changed' }, data: { a: '1' } });
  const changed = await before.patch(`${maps}/changed`, { data: { a: '2' } });
  await before.stop();
  const [wrong, revision] = [only, changed].map(({ body }) => Number(body.metadata.resourceVersion));
  const database = new Database(join(dataDir, 'store', 'storage.sqlite'));
  database.prepare('UPDATE history SET prev_rev = ? WHERE rev = ?').run(wrong, revision);
  database.close();

  const errors: { readonly message: string; readonly err: Error }[] = [];
  const log = {
    info: () => {},
    error: (message: string, fields?: object) => errors.push({ message, ...(fields as { err: Error }) }),
    flush: async () => {},
  };
  const api = await TestApi.start({ ...options, log, compactionRetentionMs: 100 });
  onTestFinished(() => api.stop());
  await api.patch(`${maps}/changed`, { data: { a: '3' } });
  await vi.waitFor(() => expect(errors.map(({ message }) => message)).toContain('compaction failed'));
  const { err } = errors.find(({ message }) => message === 'compaction failed')!;
  expect(err.message).toContain(`revision ${revision}: the row of /registry/configmaps/default/changed`);
  expect((await api.get('/readyz?verbose')).text).toContain('the history of the store is damaged, see the log');
  expect((await ScrapedMetrics.of(api)).value('keelson_storage_damage_total', {})).toBe(1);
  await api.stop();
  const again = await TestApi.start(options);
  onTestFinished(() => again.stop());
  expect((await again.get(`${maps}/only`)).body.data).toEqual({ a: '1' });
});
