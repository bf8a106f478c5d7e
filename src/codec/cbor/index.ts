/**
 * CBOR bytes to the values that the same object has in JSON, and back, in the dialect of Kubernetes: strings are byte
 * strings, times are texts, and bytes that are base64 in JSON have a tag. No defaults, no checks beyond the encoding.
 */
export { CborContentError } from './cbor-content-error.ts';
export { type DecodedCbor, decodeCbor, mapElementIndex } from './decode-cbor.ts';
export { cborListHead, cborWatchEvent, encodeCbor, encodeCborItem } from './encode-cbor.ts';
