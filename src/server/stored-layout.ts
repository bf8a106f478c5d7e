import { type Storage, TransformedStorage } from '../storage/index.ts';
import type { ResolvedOptions } from './options.ts';

/** In etcd, objects have the form of kube-apiserver. Elsewhere they are stored as the registry has them. */
export async function inStoredLayout(storage: Storage, options: ResolvedOptions): Promise<Storage> {
  if (options.storage !== 'etcd') return storage;
  const { kubernetesLayout } = await import('../kubernetes-layout/index.ts');
  return new TransformedStorage(storage, kubernetesLayout(options.storageMediaType));
}
