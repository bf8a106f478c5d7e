import {
  ApiServices,
  AutoRegistration,
  AvailabilityController,
  apiServiceName,
  apiServiceType,
  checkAvailability,
  ExtensionAccess,
  isAvailable,
  type LocalVersion,
} from '../aggregation/index.ts';
import type { Client } from '../client/index.ts';
import type { GroupVersion } from '../meta/group-version.ts';
import type { ResourceSet } from '../registry/index.ts';
import { groupOrder } from '../resources/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { serviceTarget } from './service-target.ts';

const entries = new Map(groupOrder.map((entry) => [entry.group, entry]));
const corePriorities = { groupPriorityMinimum: 18000, versionPriority: 1 };

export interface AggregationDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly material: KeyMaterial;
  readonly signal: AbortSignal;
}

/** The aggregation layer of a server. */
export class Aggregation {
  readonly apiServices = new ApiServices();
  readonly #dependencies: AggregationDependencies;
  readonly #access: ExtensionAccess;
  /** The APIServices that were available at some time. */
  readonly #seen = new Set<string>();
  #registration: AutoRegistration | undefined;

  constructor(dependencies: AggregationDependencies) {
    const { resources, material } = dependencies;
    this.#dependencies = dependencies;
    this.#access = new ExtensionAccess({
      resolve: (service) => serviceTarget(resources, service),
      clientPair: () => material.proxyClient,
    });
    this.apiServices.onChange((name, present) => {
      if (present !== undefined && isAvailable(present)) this.#seen.add(name);
    });
  }

  /** The names of APIServices of built-in types that have never been available. */
  missing(): string[] {
    if (!this.#isEnabled) return [];
    const builtIn = localVersions(this.#dependencies.resources).filter(({ priorities }) => priorities !== undefined);
    return builtIn.map(apiServiceName).filter((name) => !this.#seen.has(name));
  }

  /** Whether the server serves APIServices. Without them all types are its own. */
  get #isEnabled(): boolean {
    return this.#dependencies.resources.find(apiServiceType) !== undefined;
  }

  /** Resolves when the stored APIServices are known. */
  async follow(): Promise<void> {
    if (!this.#isEnabled) return;
    const { options, resources, signal } = this.#dependencies;
    const onError = (err: Error): void => options.log.error('an APIService cannot be read', { err });
    await this.apiServices.follow(resources, { onError, signal });
  }

  /** Begins to maintain the APIServices. Resolves when those of the server's own types exist. */
  async start(client: Client): Promise<void> {
    if (!this.#isEnabled) return;
    const { options, resources, signal } = this.#dependencies;
    const { apiServices } = this;
    const report = (err: Error): void => options.log.error('an APIService cannot be maintained', { err });
    this.#registration = new AutoRegistration(
      { client, apiServices, served: () => localVersions(resources), report },
      signal,
    );
    await this.#registration.start();
    new AvailabilityController(
      {
        client,
        apiServices,
        check: (apiService) => checkAvailability(apiService, { objects: resources, access: this.#access }),
        report,
      },
      signal,
    );
  }

  /** The custom types of a group have changed. */
  groupChanged(group: string): void {
    this.#registration?.groupChanged(group);
  }
}

/** Every group version once. The APIServices themselves need none. */
function localVersions(resources: ResourceSet): LocalVersion[] {
  const versions = new Map<string, LocalVersion>();
  for (const { group, version } of resources.definitions) {
    const key = `${group}/${version}`;
    if (group === apiServiceType.group || versions.has(key)) continue;
    versions.set(key, { group, version, priorities: builtInPriorities({ group, version }) });
  }
  return [...versions.values()];
}

/** Undefined for custom types. */
function builtInPriorities({ group, version }: GroupVersion): LocalVersion['priorities'] {
  if (group === '') return corePriorities;
  const entry = entries.get(group);
  const versionPriority = entry?.versions[version];
  return versionPriority === undefined ? undefined : { groupPriorityMinimum: entry!.priority, versionPriority };
}
