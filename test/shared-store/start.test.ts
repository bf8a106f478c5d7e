import { expect, it } from 'vitest';
import { SharedStore } from './shared-store.ts';

it('starts servers at the same time on an empty store', async () => {
  const store = new SharedStore();
  const servers = await store.startAll(3, () => ({ controllers: ['*'] }));
  for (const { api } of servers) expect((await api.get('/readyz')).status).toBe(200);
});
