import { cborListHead, cborWatchEvent, encodeCbor, encodeCborItem } from '../cbor/index.ts';
import { type Encoder, emptyBytes } from './encoder.ts';

export const cborEncoder: Encoder = {
  isBinary: true,
  encode: (value, schema) => encodeCbor(value, schema),
  item: (value, schema) => encodeCborItem(value, schema),
  openList({ value, field, count }) {
    const head = cborListHead(value, field, count);
    return {
      needsSize: false,
      head: () => head,
      beforeFirst: () => emptyBytes,
      beforeNext: () => emptyBytes,
      tail: emptyBytes,
    };
  },
  // A CBOR sequence needs no separators.
  frame: cborWatchEvent,
  message: cborWatchEvent,
};
