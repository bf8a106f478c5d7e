const places = new WeakMap<ArrayBufferLike, Map<number, object>>();

/**
 * Identifies a document by its location in memory. Many documents share one block of memory, and each reader has a
 * different view.
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
