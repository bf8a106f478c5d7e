import { duration, integer, list, text } from './flags.ts';

/** The flags of `keelson record`. */
export const recordFlags = {
  upstream: {
    name: 'upstream',
    placeholder: 'KUBECONFIG',
    help: 'Kubeconfig of the upstream server. Required.',
    parse: text,
  },
  file: {
    name: 'file',
    placeholder: 'FILE',
    help: 'File for the recording. It must not exist. Required.',
    parse: text,
  },
  kubeconfig: {
    name: 'kubeconfig',
    placeholder: 'FILE',
    fallback: 'recorder.kubeconfig',
    help: 'Where to write the kubeconfig for the clients.',
    parse: text,
  },
  bindAddress: {
    name: 'bind-address',
    placeholder: 'IP',
    fallback: '127.0.0.1',
    help: 'IP address on which the recorder listens.',
    parse: text,
  },
  port: {
    name: 'secure-port',
    placeholder: 'PORT',
    fallback: '0',
    help: 'Port for HTTPS. 0 selects a free port.',
    parse: integer({ min: 0, max: 65535 }),
  },
} as const;

/** The flags of `keelson replay`. */
export const replayFlags = {
  kubeconfig: {
    name: 'kubeconfig',
    placeholder: 'FILE',
    help: 'Kubeconfig of the server to replay against. Required.',
    parse: text,
  },
  ignored: {
    name: 'ignore',
    placeholder: 'PATH,..',
    help: 'Fields that are not compared, such as spec.clusterIP or metadata.managedFields. * matches any name or index.',
    kind: 'list',
    parse: list,
  },
  timeoutMs: {
    name: 'timeout',
    placeholder: 'DURATION',
    fallback: '30s',
    help: 'How long to wait for a response or an event.',
    parse: duration,
  },
} as const;
