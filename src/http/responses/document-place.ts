const places = new WeakMap<ArrayBufferLike, Map<number, object>>();

/**
 * Identifies a document by its place in memory. Many documents are in one block of memory, and each reader has another
 * view of them.
 */
export function placeOf({ buffer, byteOffset }: Buffer): object {
  let inBlock = places.get(buffer);
  if (inBlock === undefined) {
    inBlock = new Map();
    places.set(buffer, inBlock);
  }
  let place = inBlock.get(byteOffset);
  if (place === undefined) {
    place = {};
    inBlock.set(byteOffset, place);
  }
  return place;
}
