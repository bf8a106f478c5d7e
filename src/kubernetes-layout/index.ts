/**
 * The storage format of kube-apiserver in etcd: the stored version of each kind, its encoding, and the keys.
 * `kubernetesLayout` reads and writes this format on top of any `Storage`, so that this server and kube-apiserver can
 * use the same etcd, one after the other.
 *
 * The keys need no translation: the registry uses the same ones. Encryption is a separate room, between this one and
 * the storage.
 */
export { isObjectKey, keyGroup } from './keys.ts';
export { kubernetesLayout, type StorageMediaType } from './kubernetes-layout.ts';
export { isServedKey, kindOfKey } from './stored-type.ts';
