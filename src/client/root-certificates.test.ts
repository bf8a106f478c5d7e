import { X509Certificate } from 'node:crypto';
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
