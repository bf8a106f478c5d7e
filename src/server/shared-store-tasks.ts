import { createHash } from 'node:crypto';
import { ensureAllKubernetesEndpoints } from '../bootstrap/kubernetes-endpoints.ts';
import { LiveServers, type ServerKeys } from '../bootstrap/live-servers.ts';
import type { ServerAddress } from '../bootstrap/server-address.ts';
import { StorageVersions, type StoredResource } from '../bootstrap/storage-versions.ts';
import type { Client } from '../client/index.ts';
import type { SharedServiceClaims } from '../service-addresses/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { RunningRepair } from './service-repair.ts';
import type { SharingTimings } from './sharing-timings.ts';

export interface SharedStoreTasksOptions {
  readonly options: ResolvedOptions;
  readonly client: Client;
  readonly material: KeyMaterial;
  /** The address for other machines. Undefined if they cannot reach this server. */
  readonly address: ServerAddress | undefined;
  /** Identifies this process. */
  readonly identity: string;
  /** Undefined for the only server of a store. */
  readonly claims: SharedServiceClaims | undefined;
  readonly timings: SharingTimings;
  /** The storage versions to publish. Undefined when they are not published. */
  readonly storedResources: readonly StoredResource[] | undefined;
}

/**
 * The work of a server that shares its store with others: its Lease, its storage versions and the repair of addresses.
 */
export class SharedStoreTasks {
  readonly #options: SharedStoreTasksOptions;
  readonly #servers: LiveServers;
  readonly storageVersions: StorageVersions | undefined;
  readonly #repair: RunningRepair | undefined;
  readonly #stopped = new AbortController();

  constructor(options: SharedStoreTasksOptions) {
    const { client, material, address, identity, claims, timings, storedResources } = options;
    this.#options = options;
    const { log } = options.options;
    this.#servers = new LiveServers({
      client,
      identity,
      address,
      keys: () => serverKeys(material),
      timings: timings.presence,
      onAddresses: (addresses) => ensureAllKubernetesEndpoints(client, addresses),
      onReturned: () => void this.storageVersions?.update(this.#stopped.signal),
      onPeer: (name, keys) => this.#compare(name, keys),
      report: (err) => log.error('the live servers cannot be maintained', { err }),
    });
    this.storageVersions =
      storedResources &&
      new StorageVersions({
        client,
        serverId: this.#servers.name,
        resources: storedResources,
        report: (err) => log.error('the storage versions cannot be updated', { err }),
      });
    this.#repair =
      claims &&
      new RunningRepair({
        options: options.options,
        client,
        claims,
        identity,
        timings: timings.repair,
        election: timings.election,
      });
  }

  /** Resolves when this server has published its storage versions. The namespaces must exist. */
  async updateStorageVersions(): Promise<void> {
    await this.#servers.register();
    await this.storageVersions?.start(this.#stopped.signal);
  }

  /** Resolves when this server has its Lease, and removes those that expire. The namespaces must exist. */
  register(): Promise<void> {
    return this.#servers.register();
  }

  /** Resolves when this server is one of the endpoints of the service `kubernetes`. */
  announce(): Promise<void> {
    return this.#servers.start();
  }

  startRepair(): void {
    this.#repair?.start();
  }

  /** When it resolves, this server has been removed from the endpoints. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#servers.stop(), this.#repair?.stop()]);
  }

  #compare(server: string, { tokenKey, ca }: ServerKeys): void {
    const { material, options } = this.#options;
    if (material.serviceAccountKeys.byId(tokenKey) === undefined) {
      options.log.error(
        'another server of the store signs service account tokens with a key that this server does not accept: ' +
          'give all of them the same --service-account-signing-key-file, or each the keys of all others in ' +
          '--service-account-key-file',
        { server, key: tokenKey },
      );
    }
    if (ca !== serverKeys(material).ca) {
      options.log.error(
        'another server of the store has a certificate of another CA: clients that know one CA cannot use both ' +
          'servers. Give all of them certificates of one CA, or the same pki/ca.crt and pki/ca.key',
        { server, ca },
      );
    }
  }
}

function serverKeys({ serviceAccountKeys, servedCa }: KeyMaterial): ServerKeys {
  return {
    tokenKey: serviceAccountKeys.signing.id,
    ca: createHash('sha256').update(servedCa).digest('hex').slice(0, 32),
  };
}
