import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Returns Go's error message if a PEM certificate and a PEM private key do not match, or undefined if they do. */
export function keyPairProblem(pair: { readonly certificate: Buffer; readonly key: Buffer }): string | undefined {
  const certificates = pemBlocks(pair.certificate.toString('latin1'));
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return noCertificate(certificates.map(({ type }) => type));
  const keys = pemBlocks(pair.key.toString('latin1'));
  const key = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (key === undefined) return noKey(keys.map(({ type }) => type));
  return mismatch(certificate.bytes, key.bytes);
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]!.endsWith('PRIVATE KEY')) {
    return (
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; ' +
      'PEM inputs may have been switched'
    );
  }
  return (
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ' +
    `[${skipped.join(' ')}]`
  );
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return (
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the ' +
    `following types: [${skipped.join(' ')}]`
  );
}

interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
}

const pemSyntax =
  /(?:^|\n)-----BEGIN ([^\r\n]*?)-----[ \t]*\r?\n((?:[^:\r\n]+:[^\r\n]*\r?\n)*)([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t]*(?=\r?\n|$)/g;

function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(pemSyntax), ([, type = '', , body = '']) => ({
    type,
    bytes: Buffer.from(body, 'base64'),
  }));
}

function mismatch(certificate: Buffer, der: Buffer): string | undefined {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
  } catch {
    return 'x509: malformed certificate';
  }
  const key = privateKey(der);
  if (key === undefined) return 'tls: failed to parse private key';
  const type = parsed.publicKey.asymmetricKeyType ?? '';
  if (type !== 'rsa' && type !== 'ec' && type !== 'ed25519') return 'tls: unknown public key algorithm';
  if (key.asymmetricKeyType !== type) return 'tls: private key type does not match public key type';
  return parsed.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

function privateKey(der: Buffer): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // Try the next encoding.
    }
  }
  return undefined;
}
