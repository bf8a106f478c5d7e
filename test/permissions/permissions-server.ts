import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../src/index.ts';
import { type StartServer, TestApi } from '../wire/api.ts';
import { issueClient, type KeyPair } from '../wire/certificates.ts';
import type { Subject, User } from './naive-evaluator.ts';
import { namespaces } from './random-policy.ts';

/** A user and its credentials: a token, a certificate or none. */
export interface TestUser extends User {
  readonly token?: string;
  readonly certificate?: KeyPair;
}

export interface PermissionsServer {
  readonly api: TestApi;
  readonly users: readonly TestUser[];
  readonly stop: () => Promise<void>;
}

const authenticated = 'system:authenticated';

/** The subjects that a binding may name. */
export const subjects: readonly Subject[] = [
  ...['alice', 'bob', 'dave', 'system:anonymous'].map((name) => ({ kind: 'User', name })),
  ...['dev', 'ops', 'system:serviceaccounts', 'system:serviceaccounts:b', 'system:unauthenticated'].map((name) => ({
    kind: 'Group',
    name,
  })),
  { kind: 'ServiceAccount', name: 'bot', namespace: 'a' },
  { kind: 'ServiceAccount', name: 'bot', namespace: 'b' },
];

/** Starts a server with users of every kind and with namespaces. */
export async function startPermissionsServer(
  options: ServerOptions = {},
  start?: StartServer,
): Promise<PermissionsServer> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-permissions-'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  const tokenUsers = [
    ['alice', ''],
    ['bob', 'dev'],
    ['carol', 'dev,ops'],
    ['boss', 'system:masters'],
  ] as const;
  await writeFile(
    tokenAuthFile,
    tokenUsers.map(([name, groups]) => `token-of-${name},${name},u-${name},"${groups}"\n`).join(''),
  );
  // Objects are in memory, but the certificate needs the CA in a data directory. Nothing else writes.
  const served = { dataDir: directory, tokenAuthFile, anonymousAuth: true, controllers: [], ...options };
  const api = await TestApi.start(served, start);
  for (const namespace of namespaces) {
    await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
    for (const name of ['default', 'bot']) {
      await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
    }
  }
  const users = [
    ...tokenUsers.map(([name, groups]) => ({
      name,
      groups: [...groups.split(',').filter((group) => group !== ''), authenticated],
      token: `token-of-${name}`,
    })),
    { name: 'dave', groups: ['ops', authenticated], certificate: await certificateOf(directory, 'dave', ['ops']) },
    await serviceAccountUser(api, 'a'),
    await serviceAccountUser(api, 'b'),
    { name: 'system:anonymous', groups: ['system:unauthenticated'] },
  ];
  const stop = async (): Promise<void> => {
    await api.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { api, users, stop };
}

async function certificateOf(directory: string, user: string, groups: string[]): Promise<KeyPair> {
  const [cert, key] = await Promise.all(
    ['ca.crt', 'ca.key'].map((name) => readFile(join(directory, 'pki', name), 'utf8')),
  );
  return issueClient({ cert: cert!, key: key! }, user, groups);
}

async function serviceAccountUser(api: TestApi, namespace: string): Promise<TestUser> {
  const { body } = await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/bot/token`, { spec: {} });
  return {
    name: `system:serviceaccount:${namespace}:bot`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated],
    token: body.status.token,
  };
}
