import { createHash } from 'node:crypto';

const sealLength = 64;

/** Returns a value that contains a checksum of itself and its key. */
export function seal(key: string, payload: string): Buffer {
  return Buffer.from(digest(key, payload) + payload);
}

/** Returns the seal of a value. Throws when the value is damaged. */
export function sealOf(key: string, value: Buffer): string {
  const text = value.toString();
  const found = text.slice(0, sealLength);
  if (found !== digest(key, text.slice(sealLength))) throw new Error(`the value of ${key} is damaged`);
  return found;
}

function digest(key: string, payload: string): string {
  return createHash('sha256').update(key).update('\0').update(payload).digest('hex');
}
