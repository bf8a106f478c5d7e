import { CertificateDirectory, type CertificateStore, noStore } from './certificate-store.ts';
import type { KeyPair } from './key-pair.ts';
import { StoredAuthority } from './stored-authority.ts';

export interface CertificateOptions {
  /** The directory of the certificates. Without it they live in memory only. */
  readonly directory?: string;
  /** Writes wait for this. */
  readonly writable?: Promise<unknown> | undefined;
  /** The names and addresses that the serving certificate must cover, in lower case. */
  readonly hosts: readonly string[];
  readonly now?: Date;
}

/** All in PEM. */
export interface Certificates {
  readonly caCert: string;
  /** Undefined when the file is missing: then nothing can be signed. Not verified to match `caCert`. */
  readonly caKey: string | undefined;
  readonly servingCert: string;
  readonly servingKey: string;
  readonly adminCert: string;
  readonly adminKey: string;
}

/**
 * Loads the certificates of the server, and creates those that are missing, expired, about to expire, or do not cover
 * the hosts. A file with unexpected content is an error and is never replaced, because a user may have put it there.
 */
export async function ensureCertificates(options: CertificateOptions): Promise<Certificates> {
  const { hosts, now = new Date() } = options;
  const authority = await StoredAuthority.load(storeIn(options), { name: 'ca', now });
  const [, serving, admin] = await allWritten([
    authority.written,
    authority.leaf('apiserver', {
      subject: [{ type: 'CN', value: 'kube-apiserver' }],
      usage: 'server',
      hosts,
    }),
    authority.leaf('admin', {
      subject: [
        { type: 'O', value: 'system:masters' },
        { type: 'CN', value: 'kubernetes-admin' },
      ],
      usage: 'client',
    }),
  ]);
  return {
    caCert: authority.cert,
    caKey: authority.key,
    servingCert: serving.cert,
    servingKey: serving.key,
    adminCert: admin.cert,
    adminKey: admin.key,
  };
}

/** The name in the client certificate. */
export const frontProxyName = 'front-proxy-client';

export interface FrontProxyCertificates extends KeyPair {
  readonly ca: string;
}

/**
 * Loads or creates the client certificate for requests on behalf of users. Servers that trust its CA accept any user
 * from its holder, so that CA signs nothing else.
 */
export async function ensureFrontProxyCertificates(
  options: Omit<CertificateOptions, 'hosts'>,
): Promise<FrontProxyCertificates> {
  const { now = new Date() } = options;
  const authority = await StoredAuthority.load(storeIn(options), { name: 'front-proxy-ca', now });
  const leaf = authority.leaf(frontProxyName, {
    subject: [{ type: 'CN', value: frontProxyName }],
    usage: 'client',
  });
  const [, client] = await allWritten([authority.written, leaf]);
  return { ...client, ca: authority.cert };
}

/** Like `Promise.all`, but does not reject while something is still being written. */
async function allWritten<const T extends readonly unknown[]>(
  writes: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  await Promise.allSettled(writes);
  return Promise.all(writes);
}

function storeIn({ directory, writable }: Pick<CertificateOptions, 'directory' | 'writable'>): CertificateStore {
  return directory === undefined ? noStore : new CertificateDirectory(directory, writable);
}
