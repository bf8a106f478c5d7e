import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from './client.ts';
import { networkFetch } from './network-fetch.ts';
import { type JsonServerOptions, startJsonServer } from './test-json-server.conformance.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

async function connected(responses: JsonServerOptions['responses'], more: Parameters<typeof networkFetch>[1] = {}) {
  const server = await startJsonServer({ responses });
  const network = networkFetch(server.access({ token: 'secret' }), more);
  onTestFinished(() => network.close());
  return { server, network, client: new Client(network.fetch) };
}

describe('a client over the network', () => {
  it('sends credentials, keeps the path of the server, and reuses its connection', async () => {
    const { server, client } = await connected([{ metadata: { name: 'a' } }]);
    await client.resource(configMaps, 'default').get('a');
    await client.resource(configMaps, 'default').create({ metadata: { name: 'b' } });
    expect(server.seen).toMatchObject([
      {
        method: 'GET',
        url: '/review/api/v1/namespaces/default/configmaps/a',
        headers: { authorization: 'Bearer secret' },
      },
      { method: 'POST', url: '/review/api/v1/namespaces/default/configmaps', body: { metadata: { name: 'b' } } },
    ]);
    expect(server.connections()).toBe(1);
  });

  it('reads a watch as it comes', async () => {
    const event = (name: string) => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`;
    let response: ServerResponse | undefined;
    const { client } = await connected([
      (opened) => {
        response = opened;
        opened.writeHead(200).write(event('a'));
      },
    ]);
    const stop = new AbortController();
    const seen: (string | undefined)[] = [];
    const watching = (async () => {
      for await (const { object } of client.resource(configMaps).watch({}, stop.signal)) {
        seen.push(object.metadata.name);
        if (seen.length === 1) response!.write(event('b'));
        else stop.abort();
      }
    })();
    await expect(watching).rejects.toThrow('aborted');
    expect(seen).toEqual(['a', 'b']);
  });

  it.each([
    [
      'an error',
      (response: ServerResponse) => void response.writeHead(403).end('{"kind":"Status","message":"no"}'),
      'no',
    ],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(302, { location: '/x' }).end(),
      'HTTP status 302',
    ],
    ['a cut', (response: ServerResponse) => void response.destroy(), /^GET https:.*configmaps\/a: socket hang up$/],
  ])('fails after %s', async (_what, response, message) => {
    const { client } = await connected([response]);
    await expect(client.resource(configMaps, 'default').get('a')).rejects.toThrow(message);
  });

  it('does not wait forever for an answer', async () => {
    const { client } = await connected([() => {}], { timeoutMs: 20 });
    await expect(client.resource(configMaps, 'default').get('a')).rejects.toThrow('no answer in time');
  });
});
