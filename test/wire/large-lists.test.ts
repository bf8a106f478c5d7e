import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const count = 12;
const size = 500_000;

async function filled(options: ServerOptions = {}): Promise<TestApi> {
  const started = await TestApi.start(options);
  onTestFinished(() => started.stop());
  const data = { text: letters(size) };
  for (let index = 0; index < count; index++)
    await started.store(configMaps, { metadata: { name: `n${index}` }, data });
  return started;
}

/** Random letters, so that the compressed list is still large. */
function letters(length: number): string {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

interface ListRequest {
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly query: string;
  readonly gzip: boolean;
}

const requests: ListRequest[] = (['HTTP/1.1', 'HTTP/2'] as const).flatMap((protocol) =>
  ['', '?pretty=1'].flatMap((query) => [false, true].map((gzip) => ({ protocol, query, gzip }))),
);

/** Starts to read a list. Reads the headers of the response, but nothing of its body. */
async function begun(api: TestApi, { protocol, query, gzip }: ListRequest): Promise<Readable> {
  const headers = gzip ? { 'accept-encoding': 'gzip' } : {};
  if (protocol === 'HTTP/2') {
    const session = connect(api.server.url, api.tls);
    session.on('error', () => {});
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':path': configMaps + query, ...headers });
    stream.on('error', () => {});
    await once(stream, 'response');
    return stream;
  }
  const sent = request(new URL(configMaps + query, api.server.url), { ...api.tls, agent: false, headers });
  sent.on('error', () => {});
  onTestFinished(() => void sent.destroy());
  sent.end();
  const [response] = await once(sent, 'response');
  response.on('error', () => {});
  return response;
}

async function rest(body: Readable, { gzip }: ListRequest): Promise<string> {
  const bytes = Buffer.concat(await body.toArray());
  return (gzip ? gunzipSync(bytes) : bytes).toString();
}

it('need little memory while their readers do not read, and show the state of the request', async () => {
  const api = await filled();
  const compact = (await api.get(configMaps)).text;
  const indented = JSON.stringify(JSON.parse(compact), undefined, 2);
  const before = process.memoryUsage().arrayBuffers;
  const first = await Promise.all(requests.map(async (request) => ({ request, body: await begun(api, request) })));
  // With a copy of the list for each request, including the first ones, it would be 96 MB.
  await Promise.all(requests.map((request) => begun(api, request)));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60e6);
  await api.delete(configMaps);
  for (const { request, body } of first) {
    expect((await rest(body, request)) === (request.query === '' ? compact : indented)).toBe(true);
  }
  expect((await api.get(configMaps)).body.items).toEqual([]);
});

it('lists that nobody reads any more do not keep a server from stopping', async () => {
  const api = await filled({ requestTimeoutMs: 2_000 });
  const everyPair = requests.filter(
    ({ protocol, query, gzip }) => (protocol === 'HTTP/2') === ((query === '') === gzip),
  );
  await Promise.all(everyPair.map((request) => begun(api, request)));
  await expect(api.stop()).resolves.toBeUndefined();
});
