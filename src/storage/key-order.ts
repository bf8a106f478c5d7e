const ASCII = /^[\x00-\x7f]*$/;

/**
 * A string whose order under `<` is the order of the key's UTF-8 bytes. JavaScript compares UTF-16 units, which differs
 * beyond the basic plane; ASCII keys, practically all of them, are returned as they are.
 */
export function keyOrder(key: string): string {
  return ASCII.test(key) ? key : Buffer.from(key).toString('latin1');
}
