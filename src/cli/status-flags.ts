import { configFlag } from './config-file.ts';
import { oneOf, text } from './flags.ts';

/** The flags of `keelson status`. */
export const statusFlags = {
  config: configFlag,
  kubeconfig: {
    name: 'kubeconfig',
    placeholder: 'FILE',
    help: 'Kubeconfig of an administrator. By default admin.kubeconfig in the data directory.',
    parse: text,
  },
  dataDir: {
    name: 'data-dir',
    placeholder: 'DIR',
    fallback: './.keelson',
    help: 'The data directory of the server.',
    parse: text,
  },
  output: {
    name: 'output',
    placeholder: 'text|json',
    fallback: 'text',
    help: 'Output format: text, or a line of JSON.',
    parse: oneOf('text', 'json'),
  },
} as const;
