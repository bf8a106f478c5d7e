const ascii = /^[\x00-\x7f]*$/;

/**
 * Returns a string whose order under `<` is the order of the key's UTF-8 bytes. JavaScript compares UTF-16 code units,
 * which differs beyond the basic multilingual plane. ASCII keys, which are nearly all keys, are returned unchanged.
 */
export function keyOrder(key: string): string {
  return ascii.test(key) ? key : Buffer.from(key).toString('latin1');
}
