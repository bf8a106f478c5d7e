import { writeFileAtomically } from './atomic-file.ts';

export interface AdminKubeconfig {
  /** The URL of the server. */
  readonly server: string;
  /** PEM, like `cert` and `key`. */
  readonly caCert: string;
  readonly cert: string;
  readonly key: string;
}

/** Formats a kubeconfig with one cluster, user and context, all named `keelson`, and embedded credentials. */
export function adminKubeconfig({ server, caCert, cert, key }: AdminKubeconfig): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: keelson
  cluster:
    certificate-authority-data: ${base64(caCert)}
    server: ${JSON.stringify(server)}
contexts:
- name: keelson
  context:
    cluster: keelson
    user: keelson
current-context: keelson
preferences: {}
users:
- name: keelson
  user:
    client-certificate-data: ${base64(cert)}
    client-key-data: ${base64(key)}
`;
}

/** Writes a kubeconfig with access for its owner only, because it contains a private key. */
export function writeKubeconfig(path: string, kubeconfig: string): Promise<void> {
  return writeFileAtomically(path, kubeconfig, 0o600);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
