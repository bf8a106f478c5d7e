import { expect, vi } from 'vitest';
import type { TestApi } from '../wire/api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

export const create = (api: TestApi, name: string, size = 10) =>
  api.post(configMaps, { metadata: { name }, data: { text: 'x'.repeat(size) } });
export const becomes = (api: TestApi, path: string, status: number): Promise<void> =>
  vi.waitFor(async () => expect((await api.get(path)).status).toBe(status), { interval: 50 });
export const namesOf = async (api: TestApi): Promise<string[]> =>
  (await api.get(configMaps)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

/** Expects that the server reports how its store was lost and rejects writes. */
export async function expectLost(api: TestApi, how: string): Promise<void> {
  const { status, body } = await create(api, 'after');
  expect(status).toBe(503);
  expect(body).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable' });
  expect(body.message).toMatch(new RegExp(`storage\\.sqlite(-wal)? has been ${how} while the server is running`));
  await becomes(api, '/readyz', 500);
  expect((await api.get('/readyz/etcd-readiness')).text).toContain(`has been ${how} while the server is running`);
  expect((await api.get('/livez')).status).toBe(200);
  expect(await namesOf(api)).not.toContain('after');
}
