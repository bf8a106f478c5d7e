import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { fitsAlgorithm } from '../json-web-token/index.ts';
import { privateKeyOf, publicKeysOf } from './key-file.ts';

/** A key that verifies tokens, with the only algorithm it is used for. */
export interface VerificationKey {
  readonly id: string;
  /** As in the token header: `RS256`, `ES256`, `ES384` or `ES512`. */
  readonly algorithm: string;
  readonly key: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

type Content = string | Buffer;

export interface ServiceAccountKeysOptions {
  /** PEM: the private key that signs. Tokens that it signed are accepted too. */
  readonly signingKey: Content;
  /** PEM by file name: further public or private keys whose tokens are accepted. */
  readonly keyFiles?: ReadonlyMap<string, Content>;
}

/** A key fits at most one of these. */
const usedAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];
/** The minimum for RS256 in RFC 7518. */
const minModulusBits = 2048;
const signingOrigin = 'service account signing key';

/** The keys of service account tokens. One signs, all of them verify. Replaced keys take effect immediately. */
export class ServiceAccountKeys {
  readonly #files = new Map<string, readonly VerificationKey[]>();
  #signing: SigningKey;
  #all: readonly VerificationKey[] = [];
  #byId: ReadonlyMap<string, VerificationKey> = new Map();

  /** Throws a RangeError that names the file whose content is not a usable key. */
  constructor({ signingKey, keyFiles = new Map() }: ServiceAccountKeysOptions) {
    this.#signing = signingKeyOf(signingKey);
    for (const [file, content] of keyFiles) this.#files.set(file, verificationKeysOf(file, content));
    this.#refresh();
  }

  get signing(): SigningKey {
    return this.#signing;
  }

  /** The keys of the files in order, then the signing key, without duplicates. A new array after every change. */
  get all(): readonly VerificationKey[] {
    return this.#all;
  }

  byId(id: string): VerificationKey | undefined {
    return this.#byId.get(id);
  }

  /**
   * Tokens of the previous key are no longer accepted, unless a key file contains it. Invalid content throws and
   * changes nothing.
   */
  replaceSigningKey(content: Content): void {
    this.#signing = signingKeyOf(content);
    this.#refresh();
  }

  /** Invalid content throws and changes nothing. */
  replaceKeyFile(file: string, content: Content): void {
    this.#files.set(file, verificationKeysOf(file, content));
    this.#refresh();
  }

  #refresh(): void {
    const { privateKey: _, ...own } = this.#signing;
    this.#byId = new Map([...[...this.#files.values()].flat(), own].map((key) => [key.id, key]));
    this.#all = [...this.#byId.values()];
  }
}

function signingKeyOf(content: Content): SigningKey {
  const privateKey = privateKeyOf(String(content), signingOrigin);
  return { ...verificationKey(createPublicKey(privateKey), signingOrigin), privateKey };
}

function verificationKeysOf(file: string, content: Content): VerificationKey[] {
  const origin = `service account key file ${JSON.stringify(file)}`;
  return publicKeysOf(String(content), origin).map((key) => verificationKey(key, origin));
}

function verificationKey(key: KeyObject, origin: string): VerificationKey {
  const algorithm = usedAlgorithms.find((name) => fitsAlgorithm(key, name));
  if (algorithm === undefined) {
    throw new RangeError(`${origin}: must be an RSA key, or an ECDSA key on P-256, P-384 or P-521`);
  }
  const { modulusLength } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && modulusLength < minModulusBits) {
    throw new RangeError(
      `${origin}: an RSA key must have at least ${minModulusBits} bits, this one has ${modulusLength}`,
    );
  }
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, algorithm, key };
}
