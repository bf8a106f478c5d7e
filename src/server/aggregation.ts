import {
  type APIService,
  ApiServices,
  AutoRegistration,
  AvailabilityController,
  AvailabilityMetrics,
  apiServiceName,
  apiServiceType,
  checkAvailability,
  ExtensionAccess,
  ExtensionProxy,
  isAvailable,
  type LocalVersion,
  type RemoteAPIService,
  RemoteDiscovery,
  RemoteOpenApi,
} from '../aggregation/index.ts';
import type { CreateDefault } from '../bootstrap/ensure-object.ts';
import type { Client } from '../client/index.ts';
import { definitionType } from '../extensions/index.ts';
import type { Priorities, RegisteredVersions, RemoteVersion } from '../http/discovery/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { GroupVersion } from '../meta/group-version.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import type { Meter } from '../meta/meter.ts';
import { serverUser } from '../meta/user.ts';
import type { ResourceSet } from '../registry/index.ts';
import { groupOrder } from '../resources/index.ts';
import type { CorruptObjects } from './corrupt-objects.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { serviceTarget } from './service-target.ts';

const entries = new Map(groupOrder.map((entry) => [entry.group, entry]));
const writer = { user: serverUser, fieldManager: 'kube-apiserver' };
const corePriorities = { groupPriorityMinimum: 18000, versionPriority: 1 };

export interface AggregationDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly corrupt: CorruptObjects;
  readonly material: KeyMaterial;
  /** Whether other servers use the same store. */
  readonly isShared: boolean;
  readonly meter: Meter;
  /** Identifies a server with several threads. */
  readonly serverId?: string | undefined;
  /** Notifies the thread that maintains the APIServices that an extension server could not be reached. */
  readonly recheck?: ((name: string) => void) | undefined;
  /** Abort it to end watches and upgraded connections. */
  readonly stopWatches: AbortSignal;
  /** Abort it to end all other requests that are passed on. */
  readonly stopCalls: AbortSignal;
  readonly signal: AbortSignal;
}

/** How long the result of another server about an extension server is kept. */
const remoteVerdictTtlMs = 10_000;

/** The aggregation layer of a server. */
export class Aggregation implements RegisteredVersions {
  readonly apiServices = new ApiServices();
  readonly #dependencies: AggregationDependencies;
  readonly #access: ExtensionAccess;
  readonly #proxy: ExtensionProxy;
  readonly #discovery: RemoteDiscovery;
  /** The OpenAPI documents of other servers. */
  readonly openApi: RemoteOpenApi;
  /** Increases when something changes that discovery shows. */
  generation = 1;
  /** The APIServices that have been available before, or are stored and cannot be read. */
  readonly #seen = new Set<string>();
  /** The APIServices that are stored and cannot be read. */
  #unreadable: ReadonlySet<string> = new Set();
  #registration: AutoRegistration | undefined;
  #availability: AvailabilityController | undefined;

  constructor(dependencies: AggregationDependencies) {
    const { options, resources, corrupt, material, meter, stopWatches, stopCalls, signal } = dependencies;
    this.#dependencies = dependencies;
    this.#access = new ExtensionAccess({
      resolve: (service) => serviceTarget(resources, service),
      clientPair: () => material.proxyClient,
      // No request waits for the server's own ones.
      stop: stopWatches,
    });
    this.#proxy = new ExtensionProxy({
      serverId: dependencies.serverId,
      access: this.#access,
      stopWatches,
      stopCalls,
      onUnreachable: (name) => this.recheck(name),
    });
    const metrics = new AvailabilityMetrics(meter);
    this.apiServices.onChange((name, present, before) => {
      metrics.changed(name, present, before);
      if (present !== undefined && isAvailable(present)) this.#seen.add(name);
      if (before?.spec.service !== undefined) this.#retainConnections();
      if (!isJsonEqual(prioritiesOf(present), prioritiesOf(before))) this.generation++;
    });
    corrupt.onChange(apiServiceType, (names) => this.#unreadableChanged(names));
    const described = {
      apiServices: this.apiServices,
      access: this.#access,
      report: (err: Error) => options.log.error('discovery or OpenAPI of an extension server cannot be read', { err }),
    };
    const onChange = (): void => {
      this.generation++;
    };
    this.#discovery = new RemoteDiscovery({ ...described, onChange }, signal);
    this.openApi = new RemoteOpenApi(described, signal);
    signal.addEventListener('abort', () => this.#access.retain([]), { once: true });
  }

  /** Rechecks an APIService whose server could not be reached. */
  recheck(name: string): void {
    if (this.#availability !== undefined) this.#availability.recheck(name);
    else this.#dependencies.recheck?.(name);
  }

  /**
   * APIServices that cannot be read do not affect health, because they stay until they are deleted, and types are
   * served without them. The same applies while they are created again.
   */
  #unreadableChanged(names: ReadonlySet<string>): void {
    const before = this.#unreadable;
    this.#unreadable = names;
    for (const name of names) this.#seen.add(name);
    for (const name of before) if (!names.has(name)) this.#registration?.restore(name);
  }

  /** The names of APIServices of built-in types that have never been available, although they could be read. */
  missing(): string[] {
    if (!this.#isEnabled) return [];
    const builtIn = localVersions(this.#dependencies.resources).filter(({ priorities }) => priorities !== undefined);
    return builtIn.map(apiServiceName).filter((name) => !this.#seen.has(name));
  }

  /** Whether the server serves APIServices. Without them all types are its own. */
  get #isEnabled(): boolean {
    return this.#dependencies.resources.find(apiServiceType) !== undefined;
  }

  /** Resolves when the stored APIServices are loaded. */
  async follow(): Promise<void> {
    if (!this.#isEnabled) return;
    const { options, resources, signal } = this.#dependencies;
    const onError = (err: Error): void => options.log.error('an APIService cannot be read', { err });
    await this.apiServices.follow(resources, { onError, signal });
  }

  /** Begins to maintain the APIServices. Resolves when those of the server's own types exist. */
  async start(client: Client, createDefault?: CreateDefault): Promise<void> {
    if (!this.#isEnabled) return;
    const { options, resources, signal } = this.#dependencies;
    const { apiServices } = this;
    const report = (err: Error): void => options.log.error('an APIService cannot be maintained', { err });
    this.#registration = new AutoRegistration(
      {
        client,
        create: (object, type) =>
          type === 'built-in' && createDefault !== undefined
            ? createDefault(apiServiceType, { object, fieldManager: writer.fieldManager })
            : resources.create(apiServiceType, object, writer),
        apiServices,
        isUnreadable: (name) => this.#unreadable.has(name),
        served: (group) => localVersions(resources, group),
        // Any definition can be read here: the read waits for all of them.
        caughtUp: async () => {
          if (resources.find(definitionType) === undefined) return;
          await resources.current.get(definitionType, { namespace: '', name: 'none' });
        },
        report,
      },
      signal,
    );
    await this.#registration.start();
    this.#availability = new AvailabilityController(
      {
        client,
        apiServices,
        check: (apiService) => checkAvailability(apiService, { objects: resources, access: this.#access }),
        ...(this.#dependencies.isShared && { remoteVerdictTtlMs }),
        report,
        clock: options.clock,
      },
      signal,
    );
  }

  /** Returns undefined when this server handles the request itself. */
  handle(context: RequestContext): Promise<void> | undefined {
    const apiService = this.#remoteOf(context.info.path);
    return apiService && this.#proxy.handle(context, apiService);
  }

  /** Whether another server responds to requests for the path. */
  isRemote(path: string): boolean {
    return this.#remoteOf(path) !== undefined;
  }

  #remoteOf(path: string): RemoteAPIService | undefined {
    // Most servers have no remote APIServices, and this runs for every request.
    if (!this.apiServices.hasRemote) return undefined;
    const groupVersion = requestedVersion(path);
    return groupVersion && this.apiServices.remoteOf(groupVersion);
  }

  priorities(groupVersion: GroupVersion): Priorities | undefined {
    return prioritiesOf(this.apiServices.get(apiServiceName(groupVersion)));
  }

  remote(): readonly RemoteVersion[] {
    return this.#discovery.versions();
  }

  #retainConnections(): void {
    this.#access.retain(Array.from(this.apiServices.remote(), ({ spec }) => spec));
  }

  /** Called when the custom types of a group have changed. */
  groupChanged(group: string): void {
    this.#registration?.groupChanged(group);
  }
}

function prioritiesOf(apiService: APIService | undefined): Priorities | undefined {
  if (apiService === undefined) return undefined;
  const { groupPriorityMinimum, versionPriority } = apiService.spec;
  return { group: groupPriorityMinimum, version: versionPriority };
}

/** The prefix of the paths of the OpenAPI documents of group versions. */
const openApiPrefix = '/openapi/v3/';

/** Undefined for a path without a version. */
function requestedVersion(path: string): GroupVersion | undefined {
  if (path.startsWith(openApiPrefix)) return requestedVersion(path.slice(openApiPrefix.length - 1));
  const [, root, first, second] = path.split('/', 4);
  if (root === 'api' && first) return { group: '', version: first };
  return root === 'apis' && first && second ? { group: first, version: second } : undefined;
}

/** Returns every group version once, or those of one group. The APIServices themselves need no APIService. */
function localVersions(resources: ResourceSet, ofGroup?: string): LocalVersion[] {
  const versions = new Map<string, LocalVersion>();
  for (const { group, version } of resources.definitions) {
    if (ofGroup !== undefined && group !== ofGroup) continue;
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
