import { type NodeAddressType, nodeAddressTypes } from '../kubelet/index.ts';

/** Options for requests to kubelets. The names are those of the flags. */
export interface KubeletOptions {
  /** PEM files with the client certificate for kubelets, and its key. */
  readonly kubeletClientCertificate?: string;
  readonly kubeletClientKey?: string;
  /** The CA of the certificates of kubelets (PEM file). Without it they are not verified. */
  readonly kubeletCertificateAuthority?: string;
  /** The first of these types of addresses that a node has is used. */
  readonly kubeletPreferredAddressTypes?: readonly NodeAddressType[];
  /** The port for nodes whose status does not contain the port of the kubelet. */
  readonly kubeletPort?: number;
  /** Time limit to connect to a kubelet, in milliseconds. */
  readonly kubeletTimeoutMs?: number;
}

export const kubeletDefaults = {
  kubeletPreferredAddressTypes: nodeAddressTypes as readonly NodeAddressType[],
  kubeletPort: 10250,
  kubeletTimeoutMs: 5000,
};

/** Throws a RangeError for options that are invalid or contradict each other. */
export function checkKubeletOptions(options: KubeletOptions): void {
  if ((options.kubeletClientCertificate === undefined) !== (options.kubeletClientKey === undefined)) {
    throw new RangeError('the client certificate for kubelets and its private key must be given together');
  }
  const {
    kubeletPreferredAddressTypes: types = nodeAddressTypes,
    kubeletPort: port = 1,
    kubeletTimeoutMs = 1,
  } = options;
  const unknown = types.find((type) => !nodeAddressTypes.includes(type));
  if (unknown !== undefined) {
    throw new RangeError(
      `unknown type of node addresses ${JSON.stringify(unknown)}: use ${nodeAddressTypes.join(', ')}`,
    );
  }
  if (types.length === 0) throw new RangeError('kubelet-preferred-address-types must not be empty');
  if (!(port > 0 && port < 65536)) throw new RangeError('the port of kubelets must be between 1 and 65535');
  if (!(kubeletTimeoutMs > 0)) throw new RangeError('the timeout for kubelets must be positive');
}
