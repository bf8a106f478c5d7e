import { encodeYaml, encodeYamlItems } from '../yaml/index.ts';
import { type Encoder, emptyBytes } from './encoder.ts';

/** YAML has no streams. */
export const yamlEncoder: Encoder = {
  isBinary: false,
  encode: (value) => Buffer.from(encodeYaml(value)),
  item: (value) => Buffer.from(encodeYamlItems([value])),
  openList({ value, field, count }) {
    // Keys are sorted, so some fields follow the items.
    const entries = Object.entries(value).filter(([, of]) => of !== undefined);
    const before = encodedEntries(entries.filter(([name]) => name < field));
    const after = encodedEntries(entries.filter(([name]) => name >= field));
    const head = Buffer.from(`${before}${field}:${count === 0 ? ' []' : ''}\n`);
    return {
      needsSize: false,
      head: () => head,
      beforeFirst: () => emptyBytes,
      beforeNext: () => emptyBytes,
      tail: Buffer.from(after),
    };
  },
  frame: refuse,
  message: refuse,
};

function encodedEntries(entries: [string, unknown][]): string {
  return entries.length === 0 ? '' : encodeYaml(Object.fromEntries(entries));
}

function refuse(): never {
  throw new TypeError('there are no streams in YAML');
}
