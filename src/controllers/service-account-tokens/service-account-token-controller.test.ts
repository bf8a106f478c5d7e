import { expect, it, onTestFinished, vi } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { startServer } from '../../server/index.ts';
import { runControllers } from '../controller-manager.ts';
import { serviceAccountTokenController } from './service-account-token-controller.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const caCert = 'the certificate';
const tokenType = 'kubernetes.io/service-account-token';
const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';

type Secret = ResourceObject & { readonly data?: Readonly<Record<string, string>> };

async function setUp() {
  const server = await startServer({ storage: 'memory', controllers: [] });
  const stop = new AbortController();
  const failures: Error[] = [];
  const begin = (ca = caCert) =>
    runControllers(
      {
        client: server.client,
        controllers: [
          serviceAccountTokenController({
            caCert: ca,
            sign: ({ namespace, secret, account }) => [namespace, secret, account.name, account.uid].join('|'),
          }),
        ],
        identity: 'test',
        version: '0',
        report: (error) => failures.push(error),
        election: { isAlone: true },
      },
      stop.signal,
    );
  const running: Promise<void>[] = [];
  onTestFinished(async () => {
    stop.abort();
    await Promise.all(running);
    await server.stop();
    expect(failures).toEqual([]);
  });
  const secrets = server.client.resource<Secret>(core('secrets'), 'default');
  const accounts = server.client.resource(core('serviceaccounts'), 'default');
  return {
    secrets,
    accounts,
    run: (ca?: string) => running.push(begin(ca)),
    account: (name: string) => accounts.create({ metadata: { name } }),
    secret: (name: string, annotations: Record<string, string>, more: object = {}) =>
      secrets.create({ metadata: { name, annotations }, type: tokenType, ...more }),
    dataOf: async (name: string) => {
      const { data = {} } = await secrets.get(name);
      return Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      );
    },
    isGone: (name: string) =>
      vi.waitFor(() => expect(secrets.get(name)).rejects.toMatchObject({ code: 404 }), { interval: 10 }),
  };
}

it('adds tokens to token secrets', async () => {
  const { account, secret, secrets, dataOf, run } = await setUp();
  const { metadata } = await account('cart');
  await secret('before', { [nameKey]: 'cart' }, { data: { mine: 'eA==' } });
  run();
  await secret('after', { [nameKey]: 'cart' });
  for (const name of ['before', 'after']) {
    await vi.waitFor(async () => expect(await dataOf(name)).toHaveProperty('token'), { interval: 10 });
    expect(await dataOf(name)).toEqual({
      'ca.crt': caCert,
      namespace: 'default',
      token: `default|${name}|cart|${metadata.uid}`,
      ...(name === 'before' && { mine: 'x' }),
    });
    expect((await secrets.get(name)).metadata.annotations).toEqual({ [nameKey]: 'cart', [uidKey]: metadata.uid });
  }
});

it('keeps existing data but replaces a wrong CA', async () => {
  const { account, secret, dataOf, run } = await setUp();
  await account('cart');
  const data = { token: Buffer.from('kept').toString('base64'), 'ca.crt': Buffer.from('old').toString('base64') };
  await secret('held', { [nameKey]: 'cart' }, { data });
  run();
  const expected = { token: 'kept', 'ca.crt': caCert, namespace: 'default' };
  await vi.waitFor(async () => expect(await dataOf('held')).toEqual(expected), { interval: 10 });
});

it('restores a removed token', async () => {
  const { account, secret, secrets, dataOf, run } = await setUp();
  await account('cart');
  await secret('held', { [nameKey]: 'cart' });
  run();
  await vi.waitFor(async () => expect(await dataOf('held')).toHaveProperty('token'), { interval: 10 });
  await secrets.patch('held', { data: { token: null } });
  await vi.waitFor(async () => expect(await dataOf('held')).toHaveProperty('token'), { interval: 10 });
});

it('deletes the secrets of a deleted account', async () => {
  const { account, accounts, secret, secrets, dataOf, isGone, run } = await setUp();
  await account('cart');
  await account('other');
  await secret('of-nobody', { [nameKey]: 'nobody' });
  await secret('of-former', { [nameKey]: 'cart', [uidKey]: 'another' });
  await secret('of-cart', { [nameKey]: 'cart' });
  await secret('of-other', { [nameKey]: 'other' });
  await secrets.create({ metadata: { name: 'plain', annotations: { [nameKey]: 'cart' } }, type: 'Opaque' });
  run();
  await isGone('of-nobody');
  await isGone('of-former');
  await vi.waitFor(async () => expect(await dataOf('of-cart')).toHaveProperty('token'), { interval: 10 });
  await accounts.delete('cart');
  await isGone('of-cart');
  await vi.waitFor(async () => expect(await dataOf('of-other')).toHaveProperty('token'), { interval: 10 });
  expect(await dataOf('plain')).toEqual({});
});

it('removes a deleted secret from its account', async () => {
  const { account, accounts, secret, secrets, dataOf, run } = await setUp();
  await account('cart');
  await accounts.patch('cart', { secrets: [{ name: 'held' }, { name: 'mine' }] });
  await secret('held', { [nameKey]: 'cart' });
  run();
  await vi.waitFor(async () => expect(await dataOf('held')).toHaveProperty('token'), { interval: 10 });
  await secrets.delete('held');
  await vi.waitFor(async () => expect((await accounts.get('cart')).secrets).toEqual([{ name: 'mine' }]), {
    interval: 10,
  });
});
