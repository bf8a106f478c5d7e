import tls, { type ConnectionOptions } from 'node:tls';

/** Flags of Node.js that choose other CAs than the ones that it brings along and those of `NODE_EXTRA_CA_CERTS`. */
const otherDefaults = /--use-(?:openssl|system)-ca/;

export interface NodeSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
}

let areDeferred = false;

/**
 * Keeps this thread from reading the CAs that Node.js trusts by default until `withRootCertificates` needs them. For
 * the first TLS context, even that of a server, Node.js reads all of them, which takes as long as a tenth of a start.
 * For programs only, because it changes the defaults of all code in the thread. Has no effect if the user has chosen
 * other defaults.
 */
export function deferRootCertificates({ env, execArgv }: NodeSettings = process): void {
  const areChosen = otherDefaults.test([...execArgv, env.NODE_OPTIONS].join(' ')) || env.NODE_USE_SYSTEM_CA === '1';
  // Older versions of Node.js cannot change the defaults.
  if (areChosen || tls.setDefaultCACertificates === undefined) return;
  tls.setDefaultCACertificates([]);
  areDeferred = true;
}

/** Returns the options of a connection, after reading the default CAs if they are needed to verify the server. */
export function withRootCertificates<T extends Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>>(options: T): T {
  const isNeeded = !options.ca && options.rejectUnauthorized !== false;
  if (areDeferred && isNeeded) {
    areDeferred = false;
    tls.setDefaultCACertificates([...tls.getCACertificates('bundled'), ...tls.getCACertificates('extra')]);
  }
  return options;
}
