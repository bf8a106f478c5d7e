import { type KeyObject, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { UnreadableValueError, type ValueProvider } from '../value-provider.ts';
import { tooShort } from './aes-gcm.ts';

const nonceSize = 24;
const tagSize = 16;

/** XSalsa20 and Poly1305 as NaCl's secretbox, with a random nonce before the ciphertext. */
export function secretbox(secret: KeyObject): ValueProvider {
  const key = secret.export();
  return {
    seal(value) {
      const nonce = randomBytes(nonceSize);
      return [nonce, asBuffer(xsalsa20poly1305(key, nonce).encrypt(value))];
    },
    open(sealed) {
      if (sealed.length < nonceSize + tagSize) throw tooShort();
      const box = xsalsa20poly1305(key, sealed.subarray(0, nonceSize));
      try {
        return { value: asBuffer(box.decrypt(sealed.subarray(nonceSize))), stale: false };
      } catch (error) {
        throw new UnreadableValueError('output array was not large enough for encryption', { cause: error });
      }
    },
  };
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
