import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';

const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const rsaSizes: ReadonlySet<number | undefined> = new Set([3072, 4096]);

/** Parses a DER public key (SPKI). Returns undefined when it is invalid. */
export function parsePublicKey(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Returns why a pod gets no certificate for this key, or undefined. */
export function subjectKeyProblem(key: KeyObject): { readonly shown?: string; readonly detail: string } | undefined {
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'ec': {
      if (curves.has(namedCurve)) return undefined;
      return { shown: `curve ${namedCurve}`, detail: 'elliptic public keys must use curve P256, P384, or P521' };
    }
    case 'rsa': {
      if (rsaSizes.has(modulusLength)) return undefined;
      return { shown: `${modulusLength}-bit modulus`, detail: 'RSA keys must have modulus size 3072 or 4096' };
    }
    default:
      return { detail: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' };
  }
}

/** Whether the proof is a signature of the text with the private key. */
export function isProvenBy(key: KeyObject, text: string, proof: Buffer): boolean {
  const signed = Buffer.from(text);
  try {
    if (key.asymmetricKeyType === 'ed25519') return verify(null, signed, key, proof);
    if (key.asymmetricKeyType === 'ec') return verify('sha256', signed, key, proof);
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants;
    return verify('sha256', signed, { key, padding, saltLength }, proof);
  } catch {
    // A malformed signature is not a proof.
    return false;
  }
}
