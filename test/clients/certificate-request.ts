import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  type JsonGeneralName,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  type X509CertificateCreateParamsName,
} from '@peculiar/x509';

/** A certificate signing request and its private key. */
export interface CertificateRequest {
  /** The request as in `spec.request`: PEM in base64. */
  readonly request: string;
  /** In PEM. */
  readonly key: string;
}

export interface CertificateRequestOptions {
  readonly subject: X509CertificateCreateParamsName;
  readonly names?: JsonGeneralName[];
  /** A P-256 key by default. */
  readonly algorithm?: (webcrypto.EcKeyGenParams & { readonly hash?: string }) | webcrypto.RsaHashedKeyGenParams;
}

const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export async function newCertificateRequest(options: CertificateRequestOptions): Promise<CertificateRequest> {
  const { subject, names = [], algorithm = p256 } = options;
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: algorithm as typeof p256,
    extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    request: Buffer.from(`${made.toString('pem')}\n`).toString('base64'),
    key: `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`,
  };
}
