import { createHash } from 'node:crypto';

const sealLength = 64;

/** A value that shows whether it is whole and belongs to its key. */
export function seal(key: string, payload: string): Buffer {
  return Buffer.from(digest(key, payload) + payload);
}

/** The seal of a value; throws when the value is not as it was written. */
export function sealOf(key: string, value: Buffer): string {
  const text = value.toString();
  const found = text.slice(0, sealLength);
  if (found !== digest(key, text.slice(sealLength))) throw new Error(`the value of ${key} is damaged`);
  return found;
}

function digest(key: string, payload: string): string {
  return createHash('sha256').update(key).update('\0').update(payload).digest('hex');
}
