/** Returns a generator of integers `0 <= n < limit` that depend only on the seed (xorshift). */
export function createRandom(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
