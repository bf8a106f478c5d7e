const firstSurrogate = 0xd800;
const behindSurrogates = 0xe000;

/** The keys of a map in the order of their UTF-8 bytes, which is that of Go. Most maps have it already. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if (compareBytes(keys[index - 1]!, keys[index]!) > 0) return keys.sort(compareBytes);
  }
  return keys;
}

/** Units of UTF-16 are in the same order as bytes, but for the surrogates: those stand for what comes last. */
function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const one = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  return unit >= firstSurrogate && unit < behindSurrogates ? unit + 0x1_0000 : unit;
}
