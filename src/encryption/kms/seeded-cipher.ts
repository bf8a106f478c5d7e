import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { aesGcm, tooShort } from '../providers/aes-gcm.ts';
import type { ValueProvider } from '../value-provider.ts';

const infoSize = 32;
/** The counter of the only block that HKDF needs for a key of 32 bytes. */
const firstBlock = Buffer.from([1]);

/** The size of a new seed. */
export const seedSize = 32;

/**
 * AES-GCM with a separate key for each value: HKDF (SHA-256, expansion only) derives it from the seed and from random
 * bytes before the value. One seed can encrypt any number of values.
 */
export function seededCipher(seed: Buffer): ValueProvider {
  const secret = createSecretKey(seed);
  return {
    seal(value, key) {
      const info = randomBytes(infoSize);
      return [info, ...aesGcm(derivedKey(secret, info)).seal(value, key)];
    },
    open(sealed, key) {
      if (sealed.length < infoSize) throw tooShort();
      return aesGcm(derivedKey(secret, sealed.subarray(0, infoSize))).open(sealed.subarray(infoSize), key);
    },
  };
}

function derivedKey(seed: KeyObject, info: Buffer): KeyObject {
  return createSecretKey(createHmac('sha256', seed).update(info).update(firstBlock).digest());
}
