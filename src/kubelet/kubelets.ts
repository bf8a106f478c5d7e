/**
 * Kubelets: where the one of a node listens and how to connect to it, and the subresources of pods that it serves:
 * logs, exec, attach and port-forward.
 */
import type { ConnectionOptions } from 'node:tls';
import type { ObjectReader } from '../meta/object-reader.ts';
import { notFound } from '../meta/status-error.ts';
import { type KubeletAddress, kubeletAddress, type NodeAddressOptions } from './node-address.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' };

/** Certificates and keys are PEM. */
export interface KubeletCredentials {
  /** The CA of kubelets. Without it, their certificates are not verified. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface KubeletsOptions extends NodeAddressOptions {
  readonly objects: ObjectReader;
  /** Returns the current content of the files. Called for every connection. */
  readonly credentials: () => KubeletCredentials;
  /** How long a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
}

/** The kubelet of one node. It always speaks HTTPS. */
export interface Kubelet extends KubeletAddress {
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>;
  readonly connectTimeoutMs: number;
}

/** Finds the kubelets of nodes. */
export class Kubelets {
  readonly #options: KubeletsOptions;

  constructor(options: KubeletsOptions) {
    this.#options = options;
  }

  /** Rejects with the error to respond with when the node does not exist or has no usable address. */
  async of(nodeName: string, { skipVerification = false } = {}): Promise<Kubelet> {
    const { objects, credentials, connectTimeoutMs } = this.#options;
    const node = await objects.get(nodes, { namespace: '', name: nodeName });
    if (node === undefined) throw notFound(nodes, nodeName);
    const { ca, cert, key } = credentials();
    return {
      ...kubeletAddress(node, this.#options),
      tls: { ca, cert, key, rejectUnauthorized: ca !== undefined && !skipVerification },
      connectTimeoutMs,
    };
  }
}
