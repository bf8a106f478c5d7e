import { configFlag } from './config-file.ts';
import { bool, oneOf, text } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const choice = (name: string, fallback: string, help: string) =>
  ({ name, placeholder: 'true|false', fallback, kind: 'switch', help, parse: bool }) as const;

const common = {
  config: configFlag,
  dataDir: {
    name: 'data-dir',
    placeholder: 'DIR',
    fallback: './.keelson',
    help: 'The data directory of the server.',
    parse: text,
  },
  storage: {
    ...serveFlags.storage,
    help: 'Where the server keeps its objects. Only embedded has backups of this kind.',
  },
  output: {
    name: 'output',
    placeholder: 'text|json',
    fallback: 'text',
    help: 'Format of the result: text (after success, on a terminal only), or a line of JSON.',
    parse: oneOf('text', 'json'),
  },
} as const;

/** The flags of `keelson backup`. */
export const backupFlags = {
  ...common,
  skipUnreadable: choice('skip-unreadable', 'false', 'Whether to skip damaged objects. Otherwise they are an error.'),
};

/** The flags of `keelson restore`. */
export const restoreFlags = {
  ...common,
  replace: choice('replace', 'false', 'Whether the backup replaces existing objects. The old store is kept as a file.'),
  certificates: choice(
    'certificates',
    'true',
    'Whether to restore certificates and keys if the directory has none. Otherwise the server creates new ones.',
  ),
};

/** The flags of `keelson verify`. */
export const verifyFlags = {
  ...common,
  encryptionProviderConfig: {
    ...serveFlags.encryptionProviderConfig,
    help: 'File with an EncryptionConfiguration (YAML), to check encrypted objects.',
  },
};
