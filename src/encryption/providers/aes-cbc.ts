import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { UnreadableValueError, type ValueProvider } from '../value-provider.ts';
import { tooShort } from './aes-gcm.ts';

const blockSize = 16;

/**
 * AES-CBC with PKCS#7 padding and a random initialization vector before the ciphertext. Does not authenticate values.
 */
export function aesCbc(secret: KeyObject): ValueProvider {
  const algorithm = `aes-${secret.symmetricKeySize! * 8}-cbc`;
  return {
    seal(value) {
      const vector = randomBytes(blockSize);
      const cipher = createCipheriv(algorithm, secret, vector);
      return [vector, cipher.update(value), cipher.final()];
    },
    open(sealed) {
      if (sealed.length < blockSize) throw tooShort();
      if (sealed.length % blockSize !== 0) {
        throw new UnreadableValueError('the stored data is not a multiple of the block size');
      }
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, blockSize)).setAutoPadding(false);
      const padded = Buffer.concat([decipher.update(sealed.subarray(blockSize)), decipher.final()]);
      return { value: withoutPadding(padded), stale: false };
    },
  };
}

function withoutPadding(padded: Buffer): Buffer {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length) {
    throw new UnreadableValueError('invalid PKCS7 data (empty or not padded)');
  }
  const size = padded.length - count;
  if (padded.subarray(size).some((byte) => byte !== count)) throw new UnreadableValueError('invalid padding on input');
  return padded.subarray(0, size);
}
