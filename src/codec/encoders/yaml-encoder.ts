import { encodeYaml, encodeYamlItems } from '../yaml/index.ts';
import { type Encoder, nothing } from './encoder.ts';

/** YAML has no streams. */
export const yamlEncoder: Encoder = {
  isBinary: false,
  encode: (value) => Buffer.from(encodeYaml(value)),
  item: (value) => Buffer.from(encodeYamlItems([value])),
  openList({ value, field, count }) {
    // Keys are sorted, so some fields follow the items.
    const part = (isBefore: boolean): string => {
      const entries = Object.entries(value).filter(([name, of]) => of !== undefined && name < field === isBefore);
      return entries.length === 0 ? '' : encodeYaml(Object.fromEntries(entries));
    };
    const head = Buffer.from(`${part(true)}${field}:${count === 0 ? ' []' : ''}\n`);
    return { needsSize: false, head: () => head, before: () => nothing, tail: Buffer.from(part(false)) };
  },
  frame: refuse,
  message: refuse,
};

function refuse(): never {
  throw new TypeError('there are no streams in YAML');
}
