/**
 * A drop-in for the binaries that envtest of controller-runtime starts: the folder with them, the flags of kube-apiserver
 * in terms of Keelson's own, and what stands in for etcd. The server behind it is the usual one, started by the command
 * line.
 */
export { apiServerFlags, apiServerFlagsHelp, type KnownFlag } from './api-server-flags.ts';
export { makeAssets } from './assets.ts';
export { type EtcdFlags, etcdHelp, parseEtcdFlags } from './etcd-flags.ts';
export { dataDirOf, startEtcdStandIn } from './etcd-stand-in.ts';
