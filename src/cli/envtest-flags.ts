import { text } from './flags.ts';

/** The flags of `keelson envtest path`. */
export const envtestFlags = {
  dir: {
    name: 'dir',
    placeholder: 'DIR',
    effectiveDefault: '~/.cache/keelson/envtest',
    help: 'The folder to create.',
    parse: text,
  },
} as const;
