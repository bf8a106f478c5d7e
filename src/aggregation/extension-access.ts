import { HttpTarget, type NetworkAddress, type ServerAccess } from '../client/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { ServerConnections } from '../proxy/server-connections.ts';
import type { APIServiceSpec, RemoteAPIService, ServiceReference } from './api-service.ts';

export interface ExtensionAccessOptions {
  /** Returns where to connect to for a port of a service. Its errors are shown to users. */
  readonly resolve: (service: Required<ServiceReference>) => MaybePromise<NetworkAddress>;
  /** The certificate and key by which extension servers recognize this server. */
  readonly clientPair: () => { readonly cert: string; readonly key: string };
  /** Abort it to end the server's own requests. */
  readonly stop?: AbortSignal | undefined;
  /** The timeout of the server's own requests. Default: 5 s. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 5_000;

type RemoteSpec = RemoteAPIService['spec'];

/** How the servers of APIServices are reached. All APIServices with the same service share its connections. */
export class ExtensionAccess {
  readonly #options: ExtensionAccessOptions;
  /** With the certificate that they show. */
  readonly #connections = new Map<string, { readonly connections: ServerConnections; readonly cert: string }>();

  constructor(options: ExtensionAccessOptions) {
    this.#options = options;
  }

  /** The timeout of the server's own requests. */
  get timeoutMs(): number {
    return this.#options.timeoutMs ?? defaultTimeoutMs;
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

  /** Connects the server's own requests. `address` is that of the service if it is known already. */
  target(spec: RemoteSpec, address?: NetworkAddress): HttpTarget {
    const dial = (): MaybePromise<NetworkAddress> => address ?? this.resolve(spec.service);
    return new HttpTarget(this.serverAccess(spec), { dial, stop: this.#options.stop });
  }

  /** The shared connections. */
  connections(spec: RemoteSpec): ServerConnections {
    const id = accessKey(spec);
    const { cert } = this.#options.clientPair();
    const known = this.#connections.get(id);
    if (known?.cert === cert) return known.connections;
    known?.connections.close();
    const { url, ca, key, insecureSkipTlsVerify } = this.serverAccess(spec);
    const connections = new ServerConnections({
      protocol: 'https:',
      host: url.hostname,
      port: Number(url.port || 443),
      tls: { ca, cert, key, rejectUnauthorized: !insecureSkipTlsVerify },
      dial: () => this.resolve(spec.service),
    });
    this.#connections.set(id, { connections, cert });
    return connections;
  }

  /** Closes connections that are not used by any of these APIServices. */
  retain(specs: Iterable<RemoteSpec>): void {
    const used = new Set(Array.from(specs, accessKey));
    for (const [id, { connections }] of this.#connections) {
      if (used.has(id)) continue;
      this.#connections.delete(id);
      connections.close();
    }
  }
}

function accessKey({ service, caBundle, insecureSkipTLSVerify }: APIServiceSpec): string {
  return JSON.stringify([service?.namespace, service?.name, service?.port, caBundle, insecureSkipTLSVerify]);
}
