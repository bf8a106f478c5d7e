import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../../src/index.ts';
import { TestApi } from '../wire/api.ts';
import { createAuthority, issueClient, issueServer } from '../wire/certificates.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keelson-controllers';
const account = '/api/v1/namespaces/default/serviceaccounts/default';

const serve = (dataDir: string, ...args: string[]): ServeProcess =>
  ServeProcess.start(`--data-dir=${dataDir}`, ...args);

it('serves and trusts certificates of the user, and serves as other flags say', async () => {
  const directory = await temporaryDirectory();
  const [servingCa, clientCa] = await Promise.all([createAuthority('serving-ca'), createAuthority('client-ca')]);
  const [serving, jane] = await Promise.all([
    issueServer(servingCa, '127.0.0.1'),
    issueClient(clientCa, 'jane', ['system:masters']),
  ]);
  // The chain includes the CA, so that a client that trusts the file can verify it.
  const chain = `${serving.cert}\n${servingCa.cert}`;
  const files = { 'tls-cert-file': chain, 'tls-private-key-file': serving.key, 'client-ca-file': clientCa.cert };
  const flags = await Promise.all(
    Object.entries(files).map(async ([flag, content]) => {
      await writeFile(join(directory, flag), content);
      return `--${flag}=${join(directory, flag)}`;
    }),
  );
  const others = ['--runtime-config=apps/v1=false', '--post-create-status=201', '--controllers='];
  const server = serve(directory, ...flags, ...others, '--compaction-retention=200ms');
  const { url } = await server.ready();
  const sent = request(new URL('/api/v1/namespaces', url), { ca: servingCa.cert, cert: jane.cert, key: jane.key });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  expect(response.statusCode).toBe(200);
  // The administrator's kubeconfig also works.
  const api = await server.api();
  expect((await api.get('/api/v1/namespaces')).status).toBe(200);

  const { groups } = (await api.get('/apis')).body;
  expect(groups.map(({ name }: { name: string }) => name)).not.toContain('apps');
  expect((await api.get('/apis/apps/v1/deployments')).status).toBe(404);
  expect((await api.get('/apis/batch/v1/jobs')).status).toBe(200);

  expect((await api.post(configMaps, { metadata: { name: 'x' } })).status).toBe(201);

  await api.post('/api/v1/namespaces', { metadata: { name: 'x' } });
  await api.delete('/api/v1/namespaces/x');
  expect((await api.get('/api/v1/namespaces/x')).body.status.phase).toBe('Terminating');
  for (const path of [lease, account]) expect((await api.get(path)).status).toBe(404);

  await expectForgottenHistory(api);
});

async function expectForgottenHistory(api: TestApi): Promise<void> {
  const configMaps = await api.configMaps('history', { a: {}, b: {}, c: {} });
  const first = (await api.get(`${configMaps}?limit=1`)).body;
  const { resourceVersion, continue: token } = first.metadata;
  await api.put(`${configMaps}/c`, { metadata: { name: 'c' }, data: { changed: 'yes' } });
  const old = `${configMaps}?resourceVersion=${resourceVersion}`;
  await vi.waitUntil(async () => (await api.get(`${old}&resourceVersionMatch=Exact`)).status === 410, {
    interval: 20,
  });

  const watch = await api.get(`${old}&watch=1`);
  expect(watch.status).toBe(410);
  expect(watch.body).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
  const exact = await api.get(`${old}&resourceVersionMatch=Exact`);
  expect(exact.body.message).toBe('The resourceVersion for the provided list is too old.');

  const next = await api.get(`${configMaps}?limit=5&continue=${token}`);
  expect(next.status).toBe(410);
  expect(next.body).toMatchObject({ reason: 'Expired', code: 410 });
  expect(next.body.message).toMatch(
    /^The provided continue parameter is too old to display a consistent list result\./,
  );
  const rest = await api.get(`${configMaps}?limit=5&continue=${next.body.metadata.continue}`);
  expect(rest.status).toBe(200);
  expect(rest.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['b', 'c']);
  expect(rest.body.items[1].data).toEqual({ changed: 'yes' });
}

describe('--controllers', () => {
  const isThere = (api: TestApi, path: string): Promise<void> =>
    vi.waitFor(async () => expect((await api.get(path)).status).toBe(200), { interval: 10 });

  it('run again at once after a crash, and give up their lease at a stop', async () => {
    const dataDir = await temporaryDirectory();
    const killed = serve(dataDir);
    const first = await killed.api();
    // The service account is created with its namespace, possibly before the lease.
    for (const path of [lease, account]) await isThere(first, path);
    const { holderIdentity } = (await first.get(lease)).body.spec;
    await first.delete(account);
    killed.kill('SIGKILL');
    await killed.exited;
    // The lease of the killed server must not expire during the test, even on a slow machine.
    const between = await TestApi.start({ storage: 'embedded', dataDir }, startServer);
    await between.patch(lease, { spec: { leaseDurationSeconds: 3600 } });
    await between.stop();

    const stopped = serve(dataDir);
    const second = await stopped.api();
    await isThere(second, account);
    const { spec } = (await second.get(lease)).body;
    expect(spec).toMatchObject({ leaseTransitions: 1 });
    expect(spec.holderIdentity).not.toBe(holderIdentity);
    stopped.kill('SIGTERM');
    expect(await stopped.exited).toEqual({ code: 0, signal: null });
    expect(stopped.stderr).not.toContain('controller failed');

    const idle = await TestApi.start({ storage: 'embedded', dataDir }, startServer);
    onTestFinished(() => idle.stop());
    expect((await idle.get(lease)).body.spec.holderIdentity ?? '').toBe('');
  });
});
