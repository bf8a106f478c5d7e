import { duration, list, text } from './flags.ts';

const file = (name: string, help: string) => ({ name, placeholder: 'FILE', help, parse: text });
const time = (name: string, fallback: string, help: string) => ({
  name,
  placeholder: 'DURATION',
  fallback,
  help,
  parse: duration,
});

/** Flags for storage in etcd. */
export const etcdFlags = {
  etcdServers: {
    name: 'etcd-servers',
    placeholder: 'URL,..',
    help: 'Members of the etcd cluster, such as https://10.0.0.1:2379. For --storage=etcd.',
    kind: 'list',
    parse: list,
  },
  etcdCafile: file('etcd-cafile', 'File with the CA (PEM) of the members of etcd, instead of the public CAs.'),
  etcdCertfile: file('etcd-certfile', 'File with the client certificate (PEM) for etcd.'),
  etcdKeyfile: file('etcd-keyfile', 'File with the private key (PEM) of --etcd-certfile.'),
  etcdPrefix: {
    name: 'etcd-prefix',
    placeholder: 'PATH',
    fallback: '/registry',
    help: 'Prefix of all keys in etcd.',
    parse: text,
  },
  etcdCompactionIntervalMs: time(
    'etcd-compaction-interval',
    '5m0s',
    'How often one of the servers removes old versions from etcd. 0s disables this.',
  ),
  etcdHealthcheckTimeoutMs: time('etcd-healthcheck-timeout', '2s', 'Time limit of the health check of the store.'),
  etcdReadycheckTimeoutMs: time('etcd-readycheck-timeout', '2s', 'Time limit of the readiness check of the store.'),
} as const;
