export { type Kubelet, type KubeletCredentials, Kubelets } from './kubelets.ts';
export { type NodeAddressType, nodeAddressTypes } from './node-address.ts';
export { podSubresources } from './pod-subresources.ts';
