import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { fitsAlgorithm } from '../json-web-token/index.ts';
import { privateKeyOf, publicKeysOf } from './key-file.ts';

/** A key by which tokens are verified, with the one algorithm that it is used for. */
export interface VerificationKey {
  readonly id: string;
  /** As in the header of a token: `RS256`, `ES256`, `ES384` or `ES512`. */
  readonly algorithm: string;
  readonly key: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

type Content = string | Buffer;

export interface ServiceAccountKeysOptions {
  /** PEM: the private key that signs. What it has signed is accepted as well. */
  readonly signingKey: Content;
  /** PEM by the name of the file: keys, public or private ones, whose tokens are accepted too. */
  readonly keyFiles?: ReadonlyMap<string, Content>;
}

/** A key fits one of these at the most. */
const usedAlgorithms = ['RS256', 'ES256', 'ES384', 'ES512'];
/** What RFC 7518 demands of keys for RS256. */
const smallestModulus = 2048;
const signingOrigin = 'service account signing key';

/** The keys of service account tokens: one signs, all of them verify. Content that is replaced counts at once. */
export class ServiceAccountKeys {
  readonly #files = new Map<string, readonly VerificationKey[]>();
  #signing: SigningKey;
  #all: readonly VerificationKey[] = [];
  #byId: ReadonlyMap<string, VerificationKey> = new Map();

  /** Throws a RangeError that names the file whose content is no key, or none that signs tokens. */
  constructor({ signingKey, keyFiles = new Map() }: ServiceAccountKeysOptions) {
    this.#signing = signingKeyOf(signingKey);
    for (const [file, content] of keyFiles) this.#files.set(file, verificationKeysOf(file, content));
    this.#refresh();
  }

  get signing(): SigningKey {
    return this.#signing;
  }

  /** Those of the files in their order, then the one that signs; each once. Another array after every change. */
  get all(): readonly VerificationKey[] {
    return this.#all;
  }

  byId(id: string): VerificationKey | undefined {
    return this.#byId.get(id);
  }

  /** Tokens of the key before are accepted no longer, unless a file has it. Bad content throws and changes nothing. */
  replaceSigningKey(content: Content): void {
    this.#signing = signingKeyOf(content);
    this.#refresh();
  }

  /** Bad content throws and changes nothing. */
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
  if (modulusLength !== undefined && modulusLength < smallestModulus) {
    throw new RangeError(
      `${origin}: an RSA key must have at least ${smallestModulus} bits, this one has ${modulusLength}`,
    );
  }
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, algorithm, key };
}
