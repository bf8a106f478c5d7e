import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { UnreadableValueError, type ValueProvider } from '../value-provider.ts';

const nonceSize = 12;
const tagSize = 16;

/**
 * AES-GCM with a random nonce before the ciphertext. The storage key is authenticated, so that a value cannot be moved
 * to another key.
 */
export function aesGcm(secret: KeyObject): ValueProvider {
  const algorithm = `aes-${secret.symmetricKeySize! * 8}-gcm` as const as 'aes-256-gcm';
  const options = { authTagLength: tagSize };
  return {
    seal(value, key) {
      const nonce = randomBytes(nonceSize);
      const cipher = createCipheriv(algorithm, secret, nonce, options).setAAD(Buffer.from(key));
      return [nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()];
    },
    open(sealed, key) {
      if (sealed.length < nonceSize + tagSize) throw tooShort();
      const end = sealed.length - tagSize;
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, nonceSize), options);
      decipher.setAAD(Buffer.from(key)).setAuthTag(sealed.subarray(end));
      const value = decipher.update(sealed.subarray(nonceSize, end));
      try {
        // `final` returns no data, because GCM is a stream mode. It verifies the tag.
        decipher.final();
      } catch (error) {
        throw new UnreadableValueError('cipher: message authentication failed', { cause: error });
      }
      return { value, stale: false };
    },
  };
}

export const tooShort = (): UnreadableValueError =>
  new UnreadableValueError('the stored data was shorter than the required size');
