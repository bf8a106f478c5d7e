import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TlsMaterial } from '../http/listener/index.ts';
import { filesOnDisk } from './files/option-files.ts';
import { KeyMaterial } from './key-material.ts';
import { resolveOptions } from './options.ts';
import { renewCertificates } from './renew-certificates.ts';

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);
const expiryOf = (cert: string): number => Date.parse(new X509Certificate(cert).validTo);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-keys-'));
  return () => rm(directory, { recursive: true, force: true });
});

describe("the server's own certificates", () => {
  it('are renewed before they expire, by the same CA', async () => {
    const material = await KeyMaterial.load(resolveOptions({}), { dataDir: directory, files: filesOnDisk });
    const { own, proxyClient } = material;
    const exchanged: TlsMaterial[] = [];
    await material.renewOwn((tls) => exchanged.push(tls), inDays(300));
    expect([material.own, exchanged]).toEqual([own, []]);

    await material.renewOwn((tls) => exchanged.push(tls), inDays(340));
    expect(material.own.caCert).toBe(own.caCert);
    expect(exchanged).toMatchObject([{ cert: material.own.servingCert, key: material.own.servingKey }]);
    expect(material.cert).toBe(await readFile(join(directory, 'pki/apiserver.crt'), 'utf8'));
    const before = [own.servingCert, own.adminCert, proxyClient.cert];
    const after = [material.own.servingCert, material.own.adminCert, material.proxyClient.cert];
    for (const [index, cert] of after.entries()) expect(expiryOf(cert)).toBeGreaterThan(expiryOf(before[index]!));
    const authority = new X509Certificate(own.caCert);
    expect(new X509Certificate(material.cert).verify(authority.publicKey)).toBe(true);
  });

  it('are not exchanged for those of another CA', async () => {
    const material = await KeyMaterial.load(resolveOptions({}), { dataDir: directory, files: filesOnDisk });
    const { own } = material;
    await rm(join(directory, 'pki'), { recursive: true });
    await expect(material.renewOwn(() => {}, inDays(1))).rejects.toThrow('restart');
    expect(material.own).toBe(own);
  });

  it('live as long as the server without a directory', async () => {
    const material = await KeyMaterial.load(resolveOptions({ storage: 'memory' }), {
      dataDir: undefined,
      files: filesOnDisk,
    });
    const { own } = material;
    await material.renewOwn(() => {}, inDays(400));
    expect(material.own).toBe(own);
  });
});

it('a failure is reported when nothing more is written to the directory', async () => {
  const failing = resolveOptions({ clientCaFile: join(directory, 'missing') });
  await expect(KeyMaterial.load(failing, { dataDir: directory, files: filesOnDisk })).rejects.toThrow('client-ca-file');
  const written = await readdir(join(directory, 'pki'));
  await KeyMaterial.load(resolveOptions({}), { dataDir: directory, files: filesOnDisk });
  expect(await readdir(join(directory, 'pki'))).toEqual(written);
});

describe('a directory that is not locked yet', () => {
  const load = (writable: Promise<void>) =>
    KeyMaterial.load(resolveOptions({}), { dataDir: directory, files: filesOnDisk, writable });

  it('is written when it is locked', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const loading = load(promise.then(async () => expect(await readdir(directory)).toEqual([])));
    resolve();
    const { own } = await loading;
    expect(await readFile(join(directory, 'pki/admin.crt'), 'utf8')).toBe(own.adminCert);
    // Existing files are read without waiting.
    expect((await load(new Promise(() => {}))).own).toEqual(own);
  });

  it('is not written when it cannot be locked', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const loading = load(promise);
    await Promise.all([
      expect(loading).rejects.toThrow('in use'),
      reject(new Error('in use')),
      promise.catch(() => {}),
    ]);
    expect(await readdir(directory)).toEqual([]);
  });
});

it('a failed renewal is reported and tried again', async () => {
  const stop = new AbortController();
  const errors: unknown[] = [];
  let calls = 0;
  const renew = async (): Promise<void> => {
    calls += 1;
    if (calls === 1) throw new Error('no');
  };
  renewCertificates({ renew, onError: (error) => errors.push(error), signal: stop.signal, intervalMs: 1 });
  await vi.waitFor(() => expect(calls).toBeGreaterThan(2));
  stop.abort();
  expect(errors).toHaveLength(1);
});
