import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { beforeAll, expect, it, vi } from 'vitest';
import { withKeys } from '../encryption/encrypted-server.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import type { TestApi } from '../wire/api.ts';
import { createAuthority, issueServer, type KeyPair } from '../wire/certificates.ts';
import { statusesOf, ThreadedServer } from './threaded-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const jane = { credentials: false, headers: { authorization: 'Bearer of-jane' } };

const authorizedBy = (...types: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });
const encryptedBy = (...providers: object[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers }],
  });

let directory: string;
let authority: KeyPair;
let threaded: ThreadedServer;
let clients: readonly TestApi[];
let first: TestApi;

const file = (name: string): string => join(directory, name);

async function writePair({ cert, key }: KeyPair): Promise<void> {
  await writeFile(file('tls.crt'), `${cert}\n${authority.cert}`);
  await writeFile(file('tls.key'), key);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-option-files-'));
  authority = await createAuthority('servers');
  await writePair(await issueServer(authority, '127.0.0.1'));
  await writeFile(file('authorization.yaml'), authorizedBy('RBAC'));
  await writeFile(file('encryption.yaml'), encryptedBy(withKeys('aesgcm', 'one')));
  await writeFile(file('tokens.csv'), 'of-jane,jane,1\n');
  threaded = await ThreadedServer.start({
    authorizationConfig: file('authorization.yaml'),
    encryptionProviderConfig: file('encryption.yaml'),
    encryptionProviderConfigAutomaticReload: true,
    tokenAuthFile: file('tokens.csv'),
    tlsCertFile: file('tls.crt'),
    tlsPrivateKeyFile: file('tls.key'),
  });
  clients = threaded.clients(8);
  first = clients[0]!;
  return async () => {
    await threaded.stop();
    await rm(directory, { recursive: true });
  };
});

const statusesOfJane = (apis: readonly TestApi[]): Promise<number[]> =>
  statusesOf(apis, (api) => api.get(configMaps, jane));

/** Sends requests of one client after the other until a response has the status. */
async function untilAnyHas(status: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    if ((await clients[turn % clients.length]!.get(configMaps, jane)).status === status) return;
  }
}

it('a configuration that one thread has used is used by all', async () => {
  for (const [authorizers, status] of [
    [['RBAC'], 403],
    [['RBAC', 'AlwaysAllow'], 200],
    [['RBAC'], 403],
  ] as const) {
    await writeFile(file('authorization.yaml'), authorizedBy(...authorizers));
    await untilAnyHas(status);
    expect(await statusesOfJane(clients)).toEqual(clients.map(() => status));
  }
});

it('an invalid file is rejected once, and a thread that starts later has the configuration of the others', async () => {
  await writeFile(file('authorization.yaml'), authorizedBy('AlwaysAllow'));
  await vi.waitFor(async () => expect((await first.get(configMaps, jane)).status).toBe(200));
  await writeFile(file('tokens.csv'), 'of-john,john,2\n');
  await writeFile(file('authorization.yaml'), 'authorizers: nonsense');
  const refused = () => threaded.errors.filter(({ message }) => message === 'authorization configuration not reloaded');
  await vi.waitFor(() => expect(refused()).not.toEqual([]));
  const worker = threaded.workers.get('api-1')!;
  await worker.terminate();
  await vi.waitFor(() => expect(threaded.workers.get('api-1')).not.toBe(undefined));
  await threadsReady(threaded.server, threaded.threads);
  const later = threaded.clients(8);
  expect(await statusesOfJane(later)).toEqual(later.map(() => 200));
  expect(refused()).toEqual([
    { message: expect.any(String), fields: { file: file('authorization.yaml'), err: expect.any(Error) } },
  ]);
});

it('what one thread has encrypted with a new key is readable in all', async () => {
  const path = `${secrets}/a`;
  const created = await first.post(secrets, { metadata: { name: 'a' }, stringData: { password: 'p' } });
  expect(created.status).toBe(200);
  let version: string = created.body.metadata.resourceVersion;
  /**
   * Writes the object unchanged. The version changes only if the stored value was encrypted with another key than the
   * current one.
   */
  const rewrite = async (api: TestApi): Promise<boolean> => {
    const { status, body } = await api.put(path, { ...created.body, metadata: { name: 'a' } });
    expect(status).toBe(200);
    const isChanged = body.metadata.resourceVersion !== version;
    version = body.metadata.resourceVersion;
    return isChanged;
  };
  // The new key is used for encryption immediately, which would not be possible with several servers.
  await writeFile(file('encryption.yaml'), encryptedBy(withKeys('aesgcm', 'two', 'one')));
  for (let turn = 0; !(await rewrite(clients[turn % clients.length]!)); turn++);
  for (const api of clients) expect((await api.get(path)).body).toMatchObject({ data: { password: 'cA==' } });
  for (const api of clients) expect(await rewrite(api)).toBe(false);
});

it('a key management service is not taken into use by several threads', async () => {
  const kms = { kms: { apiVersion: 'v2', name: 'k', endpoint: 'unix:///nowhere/kms.sock' } };
  await writeFile(file('encryption.yaml'), encryptedBy(kms));
  const refused = () => threaded.errors.filter(({ message }) => message === 'encryption configuration not reloaded');
  await vi.waitFor(() => expect(refused()).not.toEqual([]));
  expect(String(refused()[0]!.fields.err)).toContain('needs a server of one thread');
  expect((await first.post(secrets, { metadata: { name: 'b' } })).status).toBe(200);
  expect(refused()).toHaveLength(1);
});

it('a certificate that one thread uses is used for all new connections', async () => {
  const { port } = new URL(threaded.server.url);
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connect({ host: '127.0.0.1', port: Number(port), ca: authority.cert }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const before = await shown();
  await writePair(await issueServer(authority, '127.0.0.1'));
  let after = before;
  while (after === before) after = await shown();
  expect(new Set(await Promise.all(clients.map(() => shown())))).toEqual(new Set([after]));
});
