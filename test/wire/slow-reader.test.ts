import { once } from 'node:events';
import { request } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const data = { text: 'x'.repeat(1_000_000) };
const mergePatch = { 'content-type': 'application/merge-patch+json' };
/** Only the metadata is requested, because the data is not needed. */
const headers = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };

async function started(options: ServerOptions = {}): Promise<TestApi> {
  const api = await TestApi.start(options);
  onTestFinished(() => api.stop());
  return api;
}

/** Sends a request. Reads the headers of the response, but nothing of its body. */
async function stalled(api: TestApi, path: string) {
  const sent = request(new URL(path, api.server.url), { ...api.tls, agent: false });
  sent.on('error', () => {});
  sent.end();
  const [response] = await once(sent, 'response');
  response.on('error', () => {});
  onTestFinished(() => void sent.destroy());
  return response;
}

it('a reader of a watch is disconnected when it is too far behind, and does not delay others', async () => {
  const api = await started();
  await api.store(configMaps, { metadata: { name: 'large' }, data });
  const slow = await stalled(api, `${configMaps}?watch=1`);
  const other = await api.watch(`${configMaps}?watch=1`, headers);
  expect(await other.take(1)).toEqual(['ADDED large']);
  const gone = new Promise((resolve) => slow.once('close', resolve));
  // More data than the server buffers for a reader and than fits into the buffers of two kernels.
  for (let index = 0; index < 40; index++) {
    const body = { metadata: { labels: { index: `${index}` } } };
    await api.call('PATCH', `${configMaps}/large`, { body, headers: { ...headers, ...mergePatch } });
    expect((await other.next())!.object.metadata.labels).toEqual(body.metadata.labels);
  }
  slow.resume();
  await gone;
  expect(slow.complete).toBe(false);
  other.close();
});

it.each(['?watch=1', ''])('does not keep a server from stopping: GET configmaps%s', async (query) => {
  // A list may take as long as any request, a watch has less time.
  const api = await started({ requestTimeoutMs: query === '' ? 2_000 : 60_000 });
  for (let index = 0; index < 12; index++) await api.store(configMaps, { metadata: { name: `n${index}` }, data });
  await stalled(api, configMaps + query);
  // If the connection were kept, the test would time out.
  await expect(api.stop()).resolves.toBeUndefined();
});
