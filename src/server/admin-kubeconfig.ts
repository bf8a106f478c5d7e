import { join } from 'node:path';
import type { Listener } from '../http/listener/index.ts';
import { adminKubeconfig, writeKubeconfig } from '../pki/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { renewCertificates } from './renew-certificates.ts';

export interface AdminKubeconfigOptions {
  readonly url: string;
  readonly material: KeyMaterial;
  /** Undefined if there is no file. */
  readonly dataDir: string | undefined;
}

/** The kubeconfig of the administrator, and the file that is kept up to date with the certificates of the server. */
export class AdminKubeconfig {
  readonly #options: AdminKubeconfigOptions;
  /** Undefined without a data directory. */
  readonly file: string | undefined;

  constructor(options: AdminKubeconfigOptions) {
    this.#options = options;
    this.file = options.dataDir === undefined ? undefined : join(options.dataDir, 'admin.kubeconfig');
  }

  /** The kubeconfig with the current certificates. */
  get content(): string {
    const { url, material } = this.#options;
    const { adminCert: cert, adminKey: key } = material.own;
    return adminKubeconfig({ server: url, caCert: material.servedCa, cert, key });
  }

  /** Writes the file, if there is one, and renews the certificates in it and those of the server. */
  async keep({ listener, log, onRenewed, signal }: KeepOptions): Promise<void> {
    const { file } = this;
    if (file === undefined) return;
    await writeKubeconfig(file, this.content);
    renewCertificates({
      renew: async () => {
        await this.#options.material.renewOwn((tls) => listener.exchangeTls(tls));
        await writeKubeconfig(file, this.content);
        onRenewed();
      },
      onError: (err) => log.error('certificates not renewed', { err }),
      signal,
    });
  }
}

interface KeepOptions {
  readonly listener: Listener;
  readonly log: ResolvedOptions['log'];
  readonly onRenewed: () => void;
  readonly signal: AbortSignal;
}
