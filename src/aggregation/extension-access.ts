import type { Agent } from 'node:http';
import { agentFor, type NetworkAddress, retireAgent, type ServerAccess } from '../client/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { APIServiceSpec, RemoteAPIService, ServiceReference } from './api-service.ts';

export interface ExtensionAccessOptions {
  /** Returns where to connect to for a port of a service. Its errors are shown to users. */
  readonly resolve: (service: Required<ServiceReference>) => MaybePromise<NetworkAddress>;
  /** The certificate and key by which extension servers recognize this server. */
  readonly clientPair: () => { readonly cert: string; readonly key: string };
}

type RemoteSpec = RemoteAPIService['spec'];

/** How the servers of APIServices are reached. All APIServices with the same service share its connections. */
export class ExtensionAccess {
  readonly #options: ExtensionAccessOptions;
  /** With the certificate that they show. */
  readonly #agents = new Map<string, { readonly agent: Agent; readonly cert: string }>();

  constructor(options: ExtensionAccessOptions) {
    this.#options = options;
  }

  resolve({ namespace, name, port = 443 }: ServiceReference): MaybePromise<NetworkAddress> {
    return this.#options.resolve({ namespace, name, port });
  }

  /** The URL of the service, and how to verify its certificate. */
  serverAccess({ service, caBundle = '', insecureSkipTLSVerify = false }: RemoteSpec): ServerAccess {
    const { cert, key } = this.#options.clientPair();
    return {
      url: new URL(`https://${service.name}.${service.namespace}.svc:${service.port ?? 443}`),
      cert,
      key,
      insecureSkipTlsVerify: insecureSkipTLSVerify,
      ...(caBundle !== '' && { ca: Buffer.from(caBundle, 'base64').toString() }),
    };
  }

  /** The shared connections. */
  agent(spec: RemoteSpec): Agent {
    const id = accessKey(spec);
    const { cert } = this.#options.clientPair();
    const known = this.#agents.get(id);
    if (known?.cert === cert) return known.agent;
    if (known !== undefined) retireAgent(known.agent);
    const agent = agentFor(this.serverAccess(spec), () => this.resolve(spec.service));
    // Each watch has a connection. Others must not wait for one of them to end.
    agent.maxSockets = Number.POSITIVE_INFINITY;
    this.#agents.set(id, { agent, cert });
    return agent;
  }

  /** Closes the connections that none of these APIServices uses. */
  retain(specs: Iterable<RemoteSpec>): void {
    const used = new Set(Array.from(specs, accessKey));
    for (const [id, { agent }] of this.#agents) {
      if (used.has(id)) continue;
      this.#agents.delete(id);
      retireAgent(agent);
    }
  }
}

function accessKey({ service, caBundle, insecureSkipTLSVerify }: APIServiceSpec): string {
  return JSON.stringify([service?.namespace, service?.name, service?.port, caBundle, insecureSkipTLSVerify]);
}
