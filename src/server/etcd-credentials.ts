import { withRootCertificates } from '../client/index.ts';
import type { EtcdTls } from '../storage/index.ts';
import { readOptionFile } from './files/read-option-file.ts';
import type { ResolvedOptions } from './options.ts';

/**
 * Reads the files for TLS with etcd. Rejects if they cannot be read now. The returned function reads them again for
 * each connection, and keeps the earlier content when that fails.
 */
export async function etcdCredentials(options: ResolvedOptions): Promise<() => Promise<EtcdTls>> {
  const { etcdCafile, etcdCertfile, etcdKeyfile, log } = options;
  const read = async (name: string, path: string | undefined): Promise<Buffer | undefined> =>
    path === undefined ? undefined : readOptionFile(name, path);
  const readAll = async (): Promise<EtcdTls> => {
    const [ca, cert, key] = await Promise.all([
      read('etcd-cafile', etcdCafile),
      read('etcd-certfile', etcdCertfile),
      read('etcd-keyfile', etcdKeyfile),
    ]);
    return { ca, cert, key };
  };
  let last = await readAll();
  return async () => {
    try {
      last = await readAll();
    } catch (err) {
      log.error('the certificates for etcd cannot be read; the earlier ones remain in use', { err });
    }
    return withRootCertificates(last);
  };
}
