import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const serve = (dataDir: string, ...args: string[]): ServeProcess =>
  ServeProcess.start(`--data-dir=${dataDir}`, ...args);

/** Starts a create with an incomplete body. `finish` sends the rest and returns the status. */
async function startCreate(api: TestApi, name: string): Promise<{ finish: () => Promise<number> }> {
  const body = JSON.stringify({ metadata: { name } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const sent = request(new URL(configMaps, api.server.url), { ...api.tls, agent: false, method: 'POST', headers });
  // The server sends 100 Continue when the handler starts to read the body.
  const continued = once(sent, 'continue');
  sent.flushHeaders();
  await continued;
  sent.write(body.slice(0, 10));
  return {
    finish: async () => {
      sent.end(body.slice(10));
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    },
  };
}

/** Resolves when the connection is accepted. */
async function connected(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

/** Expects that the server finishes a running write, ends watches and exits with 0. */
async function expectOrderlyEnd(server: ServeProcess, signal: NodeJS.Signals, api: TestApi): Promise<void> {
  const name = signal.toLowerCase();
  const watch = await api.watch(`${configMaps}?watch=1&labelSelector=for=${name}`);
  await api.post(configMaps, { metadata: { name: `before-${name}`, labels: { for: name } } });
  expect(await watch.take(1)).toEqual([`ADDED before-${name}`]);
  const create = await startCreate(api, `in-flight-${name}`);

  server.kill(signal);
  // When the watch ends without an error, the shutdown has begun.
  expect(await watch.next()).toBeUndefined();
  expect(watch.endedCleanly).toBe(true);
  await expect(connected(api.server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await create.finish()).toBe(200);
  expect(await server.exited).toEqual({ code: 0, signal: null });
}

it('restarts keep everything after a kill, SIGTERM or SIGINT, and a second signal ends the wait', async () => {
  const dataDir = await temporaryDirectory();
  const ca = join(dataDir, 'pki', 'ca.crt');
  const killed = serve(dataDir, '--controllers=');
  const api = await killed.api();
  const authority = await readFile(ca, 'utf8');
  const before = await api.get('/api/v1/namespaces');
  const names = Array.from({ length: 20 }, (_, index) => `acknowledged-${index}`);
  const made = await Promise.all(names.map((name) => api.post(configMaps, { metadata: { name }, data: { a: 'b' } })));

  const { body: openApi } = await api.get('/openapi/v3');
  const openApiUrl = openApi.paths['apis/apps/v1'].serverRelativeURL;

  /** Starts the next server with the same objects, certificates and kubeconfig. */
  const next = async (name: string, ...flags: string[]): Promise<ServeProcess> => {
    const server = serve(dataDir, ...flags);
    // Uses the old kubeconfig with the new port. Its credentials must still be valid.
    const { url } = await server.ready();
    Object.defineProperty(api.server, 'url', { value: url, configurable: true });
    for (const { body } of made) {
      expect((await api.get(`${configMaps}/${body.metadata.name}`)).body).toEqual(body);
    }
    const latest = Math.max(...made.map(({ body }) => Number(body.metadata.resourceVersion)));
    const after = await api.get('/api/v1/namespaces');
    expect(after.body.items).toEqual(before.body.items);
    expect(await readFile(ca, 'utf8')).toBe(authority);
    // The URL contains the hash of the document.
    expect((await api.get(openApiUrl)).status).toBe(200);
    expect(Number(after.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(latest);
    const another = await api.post(configMaps, { metadata: { name } });
    expect(Number(another.body.metadata.resourceVersion)).toBeGreaterThan(latest);
    made.push(another);
    return server;
  };
  killed.kill('SIGKILL');
  expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await expectOrderlyEnd(await next('after-kill'), 'SIGTERM', api);
  await expectOrderlyEnd(await next('after-sigterm', '--controllers='), 'SIGINT', api);

  const waiting = await next('after-sigint', '--controllers=', '--shutdown-delay-duration=10m');
  for (const name of ['in-flight-sigterm', 'in-flight-sigint']) {
    expect((await api.get(`${configMaps}/${name}`)).status).toBe(200);
  }
  waiting.kill('SIGTERM');
  await vi.waitUntil(async () => (await api.get('/readyz')).status === 500, { interval: 10 });
  waiting.kill('SIGTERM');
  expect(await waiting.exited).toEqual({ code: 1, signal: null });
});
