import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const serve = (dataDir: string, ...args: string[]): ServeProcess =>
  ServeProcess.start(`--data-dir=${dataDir}`, ...args);

/** A create whose body has not been sent to its end: `finish` sends the rest and tells the status. */
async function startCreate(api: TestApi, name: string): Promise<{ finish: () => Promise<number> }> {
  const body = JSON.stringify({ metadata: { name } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const sent = request(new URL(configMaps, api.server.url), { ...api.tls, agent: false, method: 'POST', headers });
  // The server asks for the body when the request has reached the one who reads it.
  const asked = once(sent, 'continue');
  sent.flushHeaders();
  await asked;
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

/** Resolves when somebody accepts the connection. */
async function connected(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets writes finish, ends watches and exits with 0', async () => {
    const dataDir = await temporaryDirectory();
    const server = serve(dataDir);
    const api = await server.api();
    // Not what the server puts there by itself.
    const watch = await api.watch(`${configMaps}?watch=1&fieldSelector=metadata.name!=kube-root-ca.crt`);
    await api.post(configMaps, { metadata: { name: 'before' } });
    expect(await watch.take(1)).toEqual(['ADDED before']);
    const create = await startCreate(api, 'in-flight');

    server.kill(signal);
    // The end of the watch, without an error, says that the shutdown is under way.
    expect(await watch.next()).toBeUndefined();
    expect(watch.endedCleanly).toBe(true);
    await expect(connected(api.server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await create.finish()).toBe(200);
    expect(await server.exited).toEqual({ code: 0, signal: null });

    const again = await serve(dataDir).api();
    expect((await again.get(`${configMaps}/in-flight`)).status).toBe(200);
  });
});

it('gives up waiting at the second signal', async () => {
  const server = serve(await temporaryDirectory(), '--shutdown-delay-duration=10m');
  const api = await server.api();
  server.kill('SIGTERM');
  await vi.waitUntil(async () => (await api.get('/readyz')).status === 500, { interval: 10 });
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 1, signal: null });
});

describe('a restart', () => {
  it('keeps objects, certificates and the kubeconfig', async () => {
    const dataDir = await temporaryDirectory();
    const ca = join(dataDir, 'pki', 'ca.crt');
    const first = serve(dataDir);
    const api = await first.api();
    const made = (await api.post(configMaps, { metadata: { name: 'kept' }, data: { a: 'b' } })).body;
    const [before, authority] = await Promise.all([api.get('/api/v1/namespaces'), readFile(ca, 'utf8')]);
    first.kill('SIGTERM');
    await first.exited;

    // The old kubeconfig, but for the port: the credentials in it must still be good.
    const second = serve(dataDir);
    const { url } = await second.ready();
    Object.defineProperty(api.server, 'url', { value: url });
    expect((await api.get(`${configMaps}/kept`)).body).toEqual(made);
    const after = await api.get('/api/v1/namespaces');
    expect(after.body.items).toEqual(before.body.items);
    expect(await readFile(ca, 'utf8')).toBe(authority);
    const version = Number(before.body.metadata.resourceVersion);
    expect(Number(after.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(version);
    const next = (await api.post(configMaps, { metadata: { name: 'next' } })).body;
    expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(version);
  });

  it('after a kill has everything that was acknowledged', async () => {
    const dataDir = await temporaryDirectory();
    const first = serve(dataDir);
    const api = await first.api();
    const names = Array.from({ length: 20 }, (_, index) => `acknowledged-${index}`);
    const made = await Promise.all(names.map((name) => api.post(configMaps, { metadata: { name } })));
    first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const again = await serve(dataDir).api();
    for (const { body } of made) {
      expect((await again.get(`${configMaps}/${body.metadata.name}`)).body).toEqual(body);
    }
  });
});
