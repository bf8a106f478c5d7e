import { oneOf, text, truth } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const common = {
  dataDir: {
    ...serveFlags.dataDir,
    help: 'Directory of the store, as that of keelson serve. No server may be using it.',
  },
  skipUnreadable: {
    name: 'skip-unreadable',
    placeholder: 'BOOL',
    fallback: 'false',
    kind: 'switch',
    help: 'Leave out objects that cannot be read. Without it they are an error.',
    parse: truth,
  },
  merge: {
    name: 'merge',
    placeholder: 'BOOL',
    fallback: 'false',
    kind: 'switch',
    help: 'Add to a store that has objects already. They get new resource versions. An object that is there must be equal.',
    parse: truth,
  },
  output: {
    name: 'output',
    placeholder: 'text|json',
    fallback: 'text',
    help: 'What is printed at the end: a text, or a line of JSON.',
    parse: oneOf('text', 'json'),
  },
} as const;

const places = 'a data directory, a file that keelson export has written';

/** The flags of `keelson import`. */
export const importFlags = {
  from: {
    name: 'from',
    placeholder: 'PLACE',
    help: `Where the objects come from: ${places}, or a file of etcdctl snapshot save.`,
    parse: text,
  },
  ...common,
};

/** The flags of `keelson export`. */
export const exportFlags = {
  to: {
    name: 'to',
    placeholder: 'PLACE',
    help: 'Where the objects go: a new file, or an existing directory that becomes a data directory.',
    parse: text,
  },
  ...common,
};
