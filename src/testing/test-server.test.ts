import { expect, test } from 'vitest';
import { startTestServer } from './index.ts';

test('a test server keeps its objects in memory and ends with its block', async () => {
  let url: string;
  {
    await using server = await startTestServer();
    url = server.url;
    expect(server.dataDir).toBeUndefined();
    const configMaps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }, 'default');
    await expect(configMaps.create({ metadata: { name: 'a' } })).resolves.toMatchObject({ metadata: { name: 'a' } });
  }
  await expect(fetch(url)).rejects.toThrow();
});
