import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { keyPairProblem } from './secret-key-pair.ts';

const authority = CertificateAuthority.create(new Date());
const { cert, key } = authority.issue({ subject: [{ type: 'CN', value: 'a' }], usage: 'server' });
const { key: otherKey } = authority.issue({ subject: [{ type: 'CN', value: 'b' }], usage: 'server' });
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'pem', type: 'pkcs1' });
const block = (type: string, body = 'AAAA') => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;

describe('a certificate and its key', () => {
  it.each([
    ['fit', cert, key, undefined],
    ['are found behind other text', `hello\n${block('OTHER')}${cert}`, `${block('EC PARAMETERS')}${key}`, undefined],
    ['are missing', '', '', 'tls: failed to find any PEM data in certificate input'],
    ['are text', 'cert', 'key', 'tls: failed to find any PEM data in certificate input'],
    [
      'are switched',
      key,
      cert,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      'come as something else',
      block('A') + block('B'),
      key,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    ['lack the key', cert, '', 'tls: failed to find any PEM data in key input'],
    ['are two certificates', cert, cert, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      'lack a private key',
      cert,
      block('PUBLIC KEY'),
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [PUBLIC KEY]',
    ],
    ['have a broken certificate', block('CERTIFICATE'), key, 'x509: malformed certificate'],
    ['have a broken key', cert, block('PRIVATE KEY'), 'tls: failed to parse private key'],
    ['are of two kinds', cert, String(rsaKey), 'tls: private key type does not match public key type'],
    ['are of two owners', cert, otherKey, 'tls: private key does not match public key'],
  ])('%s', (_about, certificate, privateKey, problem) => {
    const pair = { certificate: Buffer.from(certificate), key: Buffer.from(privateKey) };
    expect(keyPairProblem(pair)).toBe(problem);
  });
});
