import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../src/index.ts';
import { createAuthority, issueClient, issueServer } from '../wire/certificates.ts';
import type { KubeletCertificates } from './kubelet-server.ts';

export interface KubeletTrust {
  readonly certificates: KubeletCertificates;
  /** Options of the API server: the CA and the client certificate for kubelets. */
  readonly options: Required<
    Pick<ServerOptions, 'kubeletClientCertificate' | 'kubeletClientKey' | 'kubeletCertificateAuthority'>
  >;
  readonly remove: () => Promise<void>;
}

/** Creates certificates for a kubelet and for the API server. */
export async function createKubeletTrust(): Promise<KubeletTrust> {
  const [serving, clients] = await Promise.all([createAuthority('kubelet-ca'), createAuthority('apiserver-ca')]);
  const [{ cert, key }, client, folder] = await Promise.all([
    issueServer(serving, '127.0.0.1'),
    issueClient(clients, 'kube-apiserver-kubelet-client', ['system:masters']),
    mkdtemp(join(tmpdir(), 'keelson-kubelet-')),
  ]);
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  return {
    certificates: { cert, key, clientCa: clients.cert },
    options: {
      kubeletClientCertificate: await file('client.crt', client.cert),
      kubeletClientKey: await file('client.key', client.key),
      kubeletCertificateAuthority: await file('ca.crt', serving.cert),
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
