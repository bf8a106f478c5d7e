/**
 * How kube-apiserver lays objects out in etcd: which version of a kind it stores, in which encoding, and how it names
 * the keys. `kubernetesLayout` reads and writes that form behind any `Storage`, so that this server and kube-apiserver
 * can use the same etcd, one after the other.
 *
 * The keys need no translation: the registry uses the same ones. Encryption is another room, between this one and the
 * storage.
 */
export { isObjectKey, keyGroup } from './keys.ts';
export { kubernetesLayout, type StorageMediaType } from './kubernetes-layout.ts';
export { isServedKey, kindOfKey } from './stored-type.ts';
