import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Certificates, ensureCertificates, ensureFrontProxyCertificates } from './ensure-certificates.ts';
import { servingHosts } from './serving-hosts.ts';

const hosts = servingHosts({ extraHosts: ['api.example.test', '192.0.2.7', '*.wild.example.test'] });
const serverAuth = '1.3.6.1.5.5.7.3.1';
const clientAuth = '1.3.6.1.5.5.7.3.2';
const day = 24 * 60 * 60 * 1000;

async function emptyDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'keelson-pki-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'pki');
}

function later(days: number): Date {
  return new Date(Date.now() + days * day);
}

describe('new certificates', () => {
  it('form a chain with the expected names, usages and validity', async () => {
    const made = await ensureCertificates({ hosts });
    const ca = new X509Certificate(made.caCert);
    const serving = new X509Certificate(made.servingCert);
    const admin = new X509Certificate(made.adminCert);

    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(ca.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(daysUntil(ca.validTo)).toBeCloseTo(3650, 0);
    for (const leaf of [serving, admin]) {
      expect(leaf.ca).toBe(false);
      expect(leaf.checkIssued(ca)).toBe(true);
      expect(leaf.verify(ca.publicKey)).toBe(true);
      expect(daysUntil(leaf.validTo)).toBeCloseTo(365, 0);
      expect(Date.parse(leaf.validFrom)).toBeLessThan(Date.now());
    }
    expect(serving.keyUsage).toEqual([serverAuth]);
    for (const name of [
      'localhost',
      'kubernetes.default.svc.cluster.local',
      'api.example.test',
      'a.wild.example.test',
    ]) {
      expect(serving.checkHost(name)).toBeDefined();
    }
    for (const address of ['127.0.0.1', '::1', '192.0.2.7']) expect(serving.checkIP(address)).toBe(address);
    expect(serving.checkHost('elsewhere.test')).toBeUndefined();
    expect(admin.keyUsage).toEqual([clientAuth]);
    expect(admin.toLegacyObject().subject).toMatchObject({ CN: 'kubernetes-admin', O: 'system:masters' });
    expect(new Set([ca, serving, admin].map(({ serialNumber }) => serialNumber)).size).toBe(3);
  });

  it('are accepted on both sides of a TLS connection', async () => {
    const made = await ensureCertificates({ hosts });
    const server = createServer({
      cert: made.servingCert,
      key: made.servingKey,
      ca: made.caCert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    onTestFinished(() => void server.close());
    const seen = new Promise<{ authorized: boolean; name: unknown }>((resolve) =>
      server.once('secureConnection', (socket) => {
        resolve({ authorized: socket.authorized, name: socket.getPeerCertificate().subject.CN });
        socket.end();
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = connect({ port, host: '127.0.0.1', ca: made.caCert, cert: made.adminCert, key: made.adminKey });
    client.resume();
    await new Promise((resolve, reject) => client.once('close', resolve).once('error', reject));
    expect(await seen).toEqual({ authorized: true, name: 'kubernetes-admin' });
  });

  it('are not reused without a directory', async () => {
    const [first, second] = await Promise.all([ensureCertificates({ hosts }), ensureCertificates({ hosts })]);
    expect(first.caCert).not.toBe(second.caCert);
  });
});

describe('certificates in a directory', () => {
  it('are reused; only the owner can read the keys', async () => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    expect((await readdir(directory)).sort()).toEqual([
      'admin.crt',
      'admin.key',
      'apiserver.crt',
      'apiserver.key',
      'ca.crt',
      'ca.key',
    ]);
    for (const name of ['admin', 'apiserver', 'ca']) {
      expect((await stat(join(directory, `${name}.key`))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await ensureCertificates({ directory, hosts })).toEqual(first);
    expect(await ensureCertificates({ directory, hosts: ['localhost'] })).toEqual(first);
    expect(await ensureCertificates({ directory, hosts, now: later(334) })).toEqual(first);
  });

  it('are renewed by the same CA thirty days before they expire', async () => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    const second = await ensureCertificates({ directory, hosts, now: later(336) });
    expect(second.caCert).toBe(first.caCert);
    expect(changes(first, second)).toEqual(['servingCert', 'servingKey', 'adminCert', 'adminKey']);
    expect(Date.parse(new X509Certificate(second.servingCert).validTo)).toBeGreaterThan(later(700).getTime());
    expect(await ensureCertificates({ directory, hosts, now: later(336) })).toEqual(second);
  });

  it('are all renewed when the CA is about to expire', async () => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    const second = await ensureCertificates({ directory, hosts, now: later(3640) });
    expect(changes(first, second)).toEqual(['caCert', 'caKey', 'servingCert', 'servingKey', 'adminCert', 'adminKey']);
  });

  it.each(['new.example.test', '198.51.100.1', '2001:db8::1'])('are renewed for a new host: %s', async (host) => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    const second = await ensureCertificates({ directory, hosts: [...hosts, host] });
    expect(changes(first, second)).toEqual(['servingCert', 'servingKey']);
    expect(await ensureCertificates({ directory, hosts: [...hosts, host] })).toEqual(second);
  });

  it('need the CA key only to sign', async () => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    await rm(join(directory, 'ca.key'));
    expect(await ensureCertificates({ directory, hosts })).toStrictEqual({ ...first, caKey: undefined });
    await expect(ensureCertificates({ directory, hosts: ['other.test'] })).rejects.toThrow(
      `${join(directory, 'ca.key')} is missing`,
    );
  });
});

it('are a CA of their own for the front proxy, and a client certificate', async () => {
  const directory = await emptyDirectory();
  const { caCert } = await ensureCertificates({ directory, hosts });
  const first = await ensureFrontProxyCertificates({ directory });
  const client = new X509Certificate(first.cert);
  expect(client.verify(new X509Certificate(first.ca).publicKey)).toBe(true);
  expect(client.verify(new X509Certificate(caCert).publicKey)).toBe(false);
  expect(client.keyUsage).toEqual([clientAuth]);
  expect(client.toLegacyObject().subject).toMatchObject({ CN: 'front-proxy-client' });
  expect(await ensureFrontProxyCertificates({ directory })).toEqual(first);
  const renewed = await ensureFrontProxyCertificates({ directory, now: later(336) });
  expect(renewed.ca).toBe(first.ca);
  expect(renewed.cert).not.toBe(first.cert);
});

describe('a set that a crash left incomplete', () => {
  it.each([
    ['a key without its certificate', ['apiserver.crt'], ['servingCert', 'servingKey']],
    ['a certificate without its key', ['admin.key'], ['adminCert', 'adminKey']],
    ['a CA key alone', ['ca.crt', 'apiserver.crt', 'apiserver.key', 'admin.crt', 'admin.key'], 'all'],
  ])('is completed: %s', async (_name, missing, expected) => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    for (const file of missing) await rm(join(directory, file));
    const second = await ensureCertificates({ directory, hosts });
    expect(changes(first, second)).toEqual(expected === 'all' ? Object.keys(first) : expected);
    await expectChain(second);
  });

  it('is completed: a new key beside an old certificate', async () => {
    const directory = await emptyDirectory();
    const first = await ensureCertificates({ directory, hosts });
    await writeFile(join(directory, 'apiserver.key'), first.adminKey);
    const second = await ensureCertificates({ directory, hosts });
    expect(changes(first, second)).toEqual(['servingCert', 'servingKey']);
    await expectChain(second);
  });
});

describe('a file with unexpected content', () => {
  it.each(['ca.crt', 'apiserver.crt', 'admin.crt'])('is named in the error: %s', async (name) => {
    const directory = await emptyDirectory();
    await ensureCertificates({ directory, hosts });
    const file = join(directory, name);
    await writeFile(file, 'not a certificate');
    await expect(ensureCertificates({ directory, hosts })).rejects.toThrow(`${file} is not a certificate in PEM form`);
    expect(await readFile(file, 'utf8')).toBe('not a certificate');
  });

  it.each(['apiserver.key', 'admin.key'])('is named in the error: %s', async (name) => {
    const directory = await emptyDirectory();
    await ensureCertificates({ directory, hosts });
    const file = join(directory, name);
    await writeFile(file, 'not a key');
    await expect(ensureCertificates({ directory, hosts })).rejects.toThrow(`${file} is not a private key in PEM form`);
  });

  it('is named in the error: a foreign CA key', async () => {
    const directory = await emptyDirectory();
    const { adminKey } = await ensureCertificates({ directory, hosts });
    const file = join(directory, 'ca.key');
    await writeFile(file, adminKey);
    await expect(ensureCertificates({ directory, hosts: ['other.test'] })).rejects.toThrow(
      `${file} is not the key of ${join(directory, 'ca.crt')}`,
    );
  });

  it('is named in the error: a directory in its place', async () => {
    const directory = await emptyDirectory();
    await ensureCertificates({ directory, hosts });
    const file = join(directory, 'ca.crt');
    await chmod(file, 0o600);
    await rm(file);
    await ensureCertificates({ directory: file, hosts });
    await expect(ensureCertificates({ directory, hosts })).rejects.toThrow(`cannot read ${file}`);
  });
});

describe('servingHosts', () => {
  it('has all names of the server once, and no unspecified address', () => {
    const found = servingHosts({
      bindAddress: '0.0.0.0',
      extraHosts: ['API.example.test', 'localhost', 'bücher.test'],
    });
    expect(found).toContain('api.example.test');
    expect(found).not.toContain('0.0.0.0');
    expect(found).not.toContain('bücher.test');
    expect(found.filter((host) => host === 'localhost')).toHaveLength(1);
    expect(servingHosts({ bindAddress: '192.0.2.9' })).toContain('192.0.2.9');
  });
});

function daysUntil(time: string): number {
  return (Date.parse(time) - Date.now()) / day;
}

function changes(before: Certificates, after: Certificates): string[] {
  const names = Object.keys(before) as (keyof Certificates)[];
  return names.filter((name) => before[name] !== after[name]);
}

async function expectChain(made: Certificates): Promise<void> {
  const ca = new X509Certificate(made.caCert);
  expect(new X509Certificate(made.servingCert).verify(ca.publicKey)).toBe(true);
  expect(new X509Certificate(made.adminCert).verify(ca.publicKey)).toBe(true);
}
