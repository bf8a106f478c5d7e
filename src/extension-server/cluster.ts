import { readFileSync } from 'node:fs';
import { ApiError } from '../client/api-error.ts';
import {
  Client,
  Informer,
  JsonEndpoint,
  meteredFetch,
  type NetworkFetch,
  networkFetch,
  parseKubeconfig,
  readKubeconfig,
  type ServerAccess,
} from '../client/index.ts';
import type { Logger } from '../meta/logger.ts';
import type { Meter } from '../meta/meter.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';

/** The API server that this server extends. By default the one of the cluster in whose pod the program runs. */
export interface ClusterOptions {
  /** The text of a kubeconfig. */
  readonly kubeconfig?: string;
  /** The path of a kubeconfig. */
  readonly kubeconfigFile?: string;
}

const podDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The timeout of the API servers of Kubernetes. */
const reviewTimeoutMs = 10_000;

/** The connection to the API server that this server extends. */
export class Cluster {
  readonly client: Client;
  readonly #access: ServerAccess;
  readonly #meter: Meter;
  readonly #network: NetworkFetch;
  readonly #endpoints: JsonEndpoint[] = [];

  /** Requests to the cluster are counted in `meter`. */
  constructor(access: ServerAccess, meter: Meter) {
    this.#access = access;
    this.#meter = meter;
    this.#network = networkFetch(access);
    this.client = new Client(meteredFetch(this.#network.fetch, meter, access.url.host)).as('keelson-extension');
  }

  /**
   * Returns the endpoint for reviews of this type, such as `authentication.k8s.io/v1/tokenreviews`. They are counted as
   * `authn` or `authz`.
   */
  reviews(type: string, kind: 'authn' | 'authz'): JsonEndpoint {
    const url = new URL(this.#access.url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/apis/${type}`;
    const endpoint = new JsonEndpoint(
      { ...this.#access, url },
      {
        timeoutMs: reviewTimeoutMs,
        totalMs: reviewTimeoutMs,
        meter: this.#meter,
        onAttempt: countReviews(this.#meter, kind),
      },
    );
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  close(): void {
    this.#network.close();
    for (const endpoint of this.#endpoints) endpoint.close();
  }
}

/** Counts reviews under the names of the API servers of Kubernetes. */
function countReviews(meter: Meter, kind: 'authn' | 'authz'): (code: string, ms: number) => void {
  const labels = ['code'] as const;
  const requests = meter.counter({
    name: `apiserver_delegated_${kind}_request_total`,
    help: 'Reviews by the API server, by status code.',
    labels,
  });
  const durations = meter.histogram({
    name: `apiserver_delegated_${kind}_request_duration_seconds`,
    help: 'Duration of reviews by the API server, in seconds.',
    labels,
    buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
  });
  return (code, ms) => {
    requests.of(code).add();
    durations.of(code).observe(ms / 1000);
  };
}

/** Throws a RangeError when the options, or the files that they name, cannot be used. */
export function clusterAccess({ kubeconfig, kubeconfigFile }: ClusterOptions): ServerAccess {
  if (kubeconfig !== undefined && kubeconfigFile !== undefined) {
    throw new RangeError('cluster: kubeconfig and kubeconfigFile are mutually exclusive');
  }
  if (kubeconfig !== undefined) return parseKubeconfig(Buffer.from(kubeconfig), 'of the option cluster.kubeconfig');
  return kubeconfigFile === undefined ? podAccess() : readKubeconfig(kubeconfigFile);
}

function podAccess(): ServerAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (!host || !port) {
    throw new RangeError('cluster: without a kubeconfig, the program must run in a pod (KUBERNETES_SERVICE_HOST)');
  }
  const caFile = `${podDirectory}/ca.crt`;
  try {
    const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
    return { url, ca: readFileSync(caFile, 'utf8'), tokenFile: `${podDirectory}/token` };
  } catch (cause) {
    throw new RangeError(`cluster: unable to read ${caFile}: ${(cause as Error).message}`, { cause });
  }
}

/** The namespaces of the cluster, followed from the first use on. An unknown namespace is read from the cluster. */
export class ClusterNamespaces implements ObjectReader {
  readonly #cluster: Cluster;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  #informer: Informer | undefined;

  constructor(cluster: Cluster, log: Logger, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#log = log;
    this.#signal = signal;
  }

  async get(type: StoredType, { name }: { readonly name: string }): Promise<ResourceObject | undefined> {
    const namespaces = this.#cluster.client.resource(type);
    const report = (err: Error): void => this.#log.error('namespaces not followed', { err });
    this.#informer ??= new Informer(namespaces.metadataOnly(), { report }, this.#signal);
    const known = this.#informer.get('', name);
    if (known !== undefined) return known;
    try {
      return await namespaces.get(name);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async list(type: StoredType): Promise<ResourceObject[]> {
    return (await this.#cluster.client.resource(type).list()).items;
  }
}
