import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';

/** The types of addresses in the status of a node. */
export const nodeAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const;

export type NodeAddressType = (typeof nodeAddressTypes)[number];

export interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

export interface NodeAddressOptions {
  /** The first of these types that a node has is used. */
  readonly preferredAddressTypes: readonly NodeAddressType[];
  /** The port for nodes whose status does not contain the port of their kubelet. */
  readonly defaultPort: number;
}

interface NodeStatus {
  readonly addresses?: readonly { readonly type?: string; readonly address?: string }[];
  readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
}

/**
 * Returns the address of the kubelet of a node. Throws the error to respond with when the node has no usable address.
 */
export function kubeletAddress(
  node: ResourceObject,
  { preferredAddressTypes, defaultPort }: NodeAddressOptions,
): KubeletAddress {
  const { addresses = [], daemonEndpoints } = (node.status ?? {}) as NodeStatus;
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  for (const preferred of preferredAddressTypes) {
    const found = addresses.find(({ type }) => type === preferred);
    if (found?.address !== undefined) return { host: found.address, port: port > 0 ? port : defaultPort };
  }
  const known = addresses.map(({ type = '', address = '' }) => `{${type} ${address}}`).join(' ');
  const message = `no preferred addresses found; known addresses: [${known}]`;
  throw new StatusError({ code: 500, reason: '', message });
}
