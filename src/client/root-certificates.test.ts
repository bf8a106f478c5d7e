import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { deferRootCertificates, withRootCertificates } from './root-certificates.ts';

const defaults = tls.getCACertificates('default');
const untouched = { env: {}, execArgv: [] };
const areRead = (): boolean => tls.getCACertificates('default').length > 0;
/** Node.js returns them in another order, with lines of another length, and without repetitions. */
const fingerprints = (certificates: readonly string[]): string[] =>
  [...new Set(certificates.map((certificate) => new X509Certificate(certificate).fingerprint256))].sort();

afterEach(() => {
  // Reads them, so that nothing stays deferred.
  withRootCertificates({});
  tls.setDefaultCACertificates(defaults);
});

describe('the CAs that Node.js trusts', () => {
  it.each<[string, tls.ConnectionOptions, boolean]>([
    ['a server with CAs of its own', { ca: 'a certificate' }, false],
    ['a server without CAs', { ca: [] }, false],
    ['a server that is not verified', { rejectUnauthorized: false }, false],
    ['any other server', { rejectUnauthorized: true }, true],
    ['a server whose CAs are not set', { ca: undefined }, true],
    ['a server whose CAs are an empty text', { ca: '' }, true],
  ])('are deferred until a connection needs them: %s', (_, options, isNeeded) => {
    deferRootCertificates(untouched);
    expect(areRead()).toBe(false);
    expect(withRootCertificates(options)).toBe(options);
    expect(areRead()).toBe(isNeeded);
  });

  it('are the same as before', () => {
    deferRootCertificates(untouched);
    withRootCertificates({});
    expect(fingerprints(tls.getCACertificates('default'))).toEqual(fingerprints(defaults));
  });

  it.each([
    { env: { NODE_USE_SYSTEM_CA: '1' }, execArgv: [] },
    { env: { NODE_OPTIONS: '--no-warnings --use-system-ca' }, execArgv: [] },
    { env: {}, execArgv: ['--use-openssl-ca'] },
  ])('are not deferred if the user has chosen others: %o', (settings) => {
    deferRootCertificates(settings);
    expect(areRead()).toBe(true);
  });

  it('are not changed in a program that does not defer them', () => {
    const chosen = tls.getCACertificates('bundled').slice(0, 2);
    tls.setDefaultCACertificates(chosen);
    withRootCertificates({});
    expect(fingerprints(tls.getCACertificates('default'))).toEqual(fingerprints(chosen));
  });
});

describe('a module that uses TLS', () => {
  /** Those that need no default CAs, and why. */
  const exceptions: Readonly<Record<string, string>> = {
    'client/http2-sessions.ts': 'gets its options from http-target.ts',
    'client/open-call.ts': 'gets its agent or its options from its callers',
    'client/root-certificates.ts': 'is what the others use',
    'http/listener/listener.ts': 'is a server, with its own CAs of clients',
    'kubelet/pod-log.ts': 'verifies kubelets only with given CAs',
    'server/key-material.ts': 'makes no connections',
    'storage/etcd/channel.ts': 'gets its options from server/etcd-credentials.ts',
  };
  const directory = join(import.meta.dirname, '..');
  const modules = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|conformance)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8') }))
    .filter(({ text }) => /^(?:import (?!type).*|\}) from 'node:(?:https|tls)';$/m.test(text));

  it.each(modules)('reads the default CAs before it uses them: $path', ({ path, text }) => {
    expect(/\bwithRootCertificates\(/.test(text)).toBe(exceptions[path] === undefined);
  });

  it('still exists if it is an exception', () => {
    const paths = modules.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(Object.keys(exceptions)));
  });
});
