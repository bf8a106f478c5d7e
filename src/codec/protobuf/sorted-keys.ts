const firstSurrogate = 0xd800;
const behindSurrogates = 0xe000;

/** Returns the keys of a map in the order of their UTF-8 bytes, as in Go. Most maps are already sorted. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) {
    if (compareBytes(keys[index - 1]!, keys[index]!) > 0) return keys.sort(compareBytes);
  }
  return keys;
}

/** UTF-16 code units sort like UTF-8 bytes, except for surrogates, which encode the highest code points. */
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
