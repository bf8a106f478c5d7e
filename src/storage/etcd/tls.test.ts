import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchedEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { put } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const program = fetchedEtcds().at(-1);

describe.skipIf(program === undefined)('etcd with TLS and client certificates', () => {
  const authority = CertificateAuthority.create(new Date());
  const other = CertificateAuthority.create(new Date(), 'other-ca');
  const client = (of: CertificateAuthority) =>
    of.issue({ subject: [{ type: 'CN', value: 'client' }], usage: 'client' });
  let directory: string;
  let cluster: EtcdCluster;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keelson-etcd-tls-'));
    cluster = await start(['127.0.0.1', 'localhost']);
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** An etcd whose certificate has these names. */
  async function start(hosts: readonly string[]): Promise<EtcdCluster> {
    const folder = await mkdtemp(join(directory, 'files-'));
    const pair = authority.issue({ subject: [{ type: 'CN', value: 'etcd' }], usage: 'server', hosts });
    const files = { ca: authority.pair.cert, ...pair };
    const tls = { ca: join(folder, 'ca'), cert: join(folder, 'cert'), key: join(folder, 'key') };
    for (const name of ['ca', 'cert', 'key'] as const) await writeFile(tls[name], files[name]);
    return EtcdCluster.start({ program: program!, tls });
  }

  async function open(
    ca: CertificateAuthority,
    pair?: { cert: string; key: string },
    endpoints = cluster.endpoints,
  ): Promise<Storage> {
    const storage = await openEtcdStorage({
      endpoints,
      tls: async () => ({
        ca: Buffer.from(ca.pair.cert),
        cert: pair && Buffer.from(pair.cert),
        key: pair && Buffer.from(pair.key),
      }),
    });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('is used with the right certificates', async () => {
    const storage = await open(authority, client(authority));
    await put(storage, '/registry/a', { text: '1' });
    expect(String((await storage.get('/registry/a'))?.value)).toBe('1');
  });

  test('is refused when its certificate is for another address', async () => {
    const named = await start(['localhost']);
    onTestFinished(() => named.stop());
    const byName = named.endpoints.map((endpoint) => endpoint.replace('127.0.0.1', 'localhost'));
    await expect(open(authority, client(authority), named.endpoints)).rejects.toMatchObject({ code: 'Unavailable' });
    await open(authority, client(authority), byName);
  });

  test('is connected to with the certificates of the moment', async () => {
    const rotating = await start(['127.0.0.1']);
    onTestFinished(() => rotating.stop());
    const pem = ({ cert, key }: { cert: string; key: string }) => ({ cert: Buffer.from(cert), key: Buffer.from(key) });
    const ca = Buffer.from(authority.pair.cert);
    let files = { ca, ...pem(client(authority)) };
    const storage = await openEtcdStorage({ endpoints: rotating.endpoints, tls: async () => files });
    onTestFinished(() => storage.close());
    await put(storage, '/registry/a', { text: '1' });
    const [member] = rotating.members;
    const reconnect = async (): Promise<void> => {
      await member!.kill();
      await member!.start();
      await member!.listening();
    };
    files = { ca, ...pem(client(other)) };
    await reconnect();
    await vi.waitFor(() => expect(storage.get('/registry/a')).rejects.toMatchObject({ code: 'Unavailable' }));
    files = { ca, ...pem(client(authority)) };
    await vi.waitFor(async () => expect(String((await storage.get('/registry/a'))?.value)).toBe('1'));
  });

  test.each([
    {
      name: 'a CA that did not sign its certificate',
      call: () => open(other, client(authority)),
      reason: /certificate/,
    },
    { name: 'a client certificate of another CA', call: () => open(authority, client(other)), reason: /./ },
    { name: 'no client certificate', call: () => open(authority), reason: /./ },
  ])('is refused with $name', async ({ call, reason }) => {
    await expect(call()).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringMatching(reason) });
  });
});
