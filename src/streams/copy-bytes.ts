/**
 * Copies all bytes of a buffer. `copy` uses `TypedArray.set` for whole buffers, which copies shared memory byte by byte
 * and takes ten times as long.
 */
export function copyBytes(source: Buffer, target: Buffer, at: number): void {
  if (source.length === 0) return;
  if (isShared(source) || isShared(target)) target.fill(source, at, at + source.length);
  else source.copy(target, at);
}

function isShared({ buffer }: Buffer): boolean {
  return buffer instanceof SharedArrayBuffer;
}
