import { configFlag } from './config-file.ts';
import { etcdFlags } from './etcd-flags.ts';
import { bool, oneOf, text } from './flags.ts';
import { serveFlags } from './serve-flags.ts';

const { etcdServers, etcdCafile, etcdCertfile, etcdKeyfile, etcdPrefix } = etcdFlags;

const common = {
  config: configFlag,
  storage: {
    name: 'storage',
    placeholder: 'embedded|etcd',
    fallback: 'embedded',
    help: 'The store of the server, as for keelson serve: embedded (in the data directory) or etcd.',
    parse: oneOf('embedded', 'etcd'),
  },
  dataDir: {
    name: 'data-dir',
    placeholder: 'DIR',
    fallback: './.keelson',
    help: 'Directory of the embedded store. It must not be in use by a server.',
    parse: text,
  },
  etcdServers,
  etcdCafile,
  etcdCertfile,
  etcdKeyfile,
  etcdPrefix,
  storageMediaType: { ...serveFlags.storageMediaType, help: 'Encoding of built-in kinds in etcd.' },
  eventTtlMs: serveFlags.eventTtlMs,
  encryptionProviderConfig: {
    ...serveFlags.encryptionProviderConfig,
    help: 'File with an EncryptionConfiguration (YAML): how objects are encrypted in stores and snapshots. Files of objects are not encrypted.',
  },
  skipUnreadable: {
    name: 'skip-unreadable',
    placeholder: 'true|false',
    fallback: 'false',
    kind: 'switch',
    help: 'Whether to skip objects that cannot be read. Otherwise they are an error.',
    parse: bool,
  },
  merge: {
    name: 'merge',
    placeholder: 'true|false',
    fallback: 'false',
    kind: 'switch',
    help: 'Whether to add objects to a store that already has some. They get new resource versions. Objects in both must be equal.',
    parse: bool,
  },
  output: {
    name: 'output',
    placeholder: 'text|json',
    fallback: 'text',
    help: 'Format of the result: text, or a line of JSON.',
    parse: oneOf('text', 'json'),
  },
} as const;

/** The flags of `keelson import`. */
export const importFlags = {
  from: {
    name: 'from',
    placeholder: 'PLACE',
    help: 'Source of the objects: a data directory, the URLs of an etcd cluster, a file of etcdctl snapshot save, or a file written by keelson export.',
    parse: text,
  },
  ...common,
};

/** The flags of `keelson export`. */
export const exportFlags = {
  to: {
    name: 'to',
    placeholder: 'PLACE',
    help: 'Destination: a new file, the URLs of an etcd cluster, or an existing directory that becomes a data directory.',
    parse: text,
  },
  ...common,
};
