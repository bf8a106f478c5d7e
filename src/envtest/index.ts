/**
 * A replacement for the binaries that envtest of controller-runtime starts: the folder with them, the translation of
 * kube-apiserver's flags, and a stand-in for etcd. The command line starts the normal server.
 */
export { apiServerFlags, apiServerFlagsHelp, type KnownFlag } from './api-server-flags.ts';
export { makeAssets } from './assets.ts';
export { type EtcdFlags, etcdHelp, parseEtcdFlags } from './etcd-flags.ts';
export { dataDirOf, startEtcdStandIn } from './etcd-stand-in.ts';
