import { type KubeletCredentials, Kubelets } from '../kubelet/index.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import type { OptionFiles } from './files/option-files.ts';
import type { ResolvedOptions } from './options.ts';

interface KubeletDependencies {
  readonly options: ResolvedOptions;
  readonly files: OptionFiles;
  readonly objects: ObjectReader;
  readonly signal: AbortSignal;
}

/** Reads the files that the options name, now and after every change. Rejects with a RangeError if one is missing. */
export async function serverKubelets({
  options,
  files: optionFiles,
  objects,
  signal,
}: KubeletDependencies): Promise<Kubelets> {
  const files: Record<keyof KubeletCredentials, readonly [flag: string, path: string | undefined]> = {
    ca: ['kubelet-certificate-authority', options.kubeletCertificateAuthority],
    cert: ['kubelet-client-certificate', options.kubeletClientCertificate],
    key: ['kubelet-client-key', options.kubeletClientKey],
  };
  const credentials: { -readonly [Credential in keyof KubeletCredentials]: string } = {};
  const follow = async (credential: keyof KubeletCredentials): Promise<void> => {
    const [flag, file] = files[credential];
    if (file === undefined) return;
    try {
      await optionFiles.follow([file], {
        onContents: ([content]) => {
          credentials[credential] = content.toString();
        },
        onError: (err) => options.log.error('file not reloaded', { file, err }),
        signal,
      });
    } catch (error) {
      throw new RangeError(`${flag}: ${(error as Error).message}`, { cause: error });
    }
  };
  await Promise.all((['ca', 'cert', 'key'] as const).map(follow));
  return new Kubelets({
    objects,
    credentials: () => credentials,
    preferredAddressTypes: options.kubeletPreferredAddressTypes,
    defaultPort: options.kubeletPort,
    connectTimeoutMs: options.kubeletTimeoutMs,
  });
}
