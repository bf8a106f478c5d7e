import type { Client } from '../../client/index.ts';
import { type Clock, timestamp } from '../../meta/clock.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import type { OwnerReference } from '../../meta/object.ts';
import type { GraphNode } from './owner-graph.ts';

const events = { group: '', version: 'v1', resource: 'events' };
/** The namespace of events about cluster-scoped objects. */
const clusterEvents = 'default';
/** The maximum number of objects that are remembered as recorded. Then the memory is cleared. */
const maxCached = 1000;

export interface ImpossibleOwnersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly report: (error: Error) => void;
}

/** Records one event for each object whose owner is in another namespace. */
export class ImpossibleOwners {
  readonly #options: ImpossibleOwnersOptions;
  readonly #recorded = new Set<string>();

  constructor(options: ImpossibleOwnersOptions) {
    this.#options = options;
  }

  record({ type, object, uid }: GraphNode, owner: OwnerReference): void {
    const { client, clock, report } = this.#options;
    const key = `${uid} ${owner.uid}`;
    if (this.#recorded.has(key)) return;
    if (this.#recorded.size >= maxCached) this.#recorded.clear();
    this.#recorded.add(key);
    const { name = '', namespace = '', resourceVersion = '' } = object.metadata;
    const shown = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const now = timestamp(clock);
    const event = {
      metadata: {
        name: `${name}.${clock.now().toString(16)}${this.#recorded.size}`,
        namespace: namespace || clusterEvents,
      },
      involvedObject: {
        kind: type.kind,
        apiVersion: apiVersionOf(type),
        ...(namespace !== '' && { namespace }),
        name,
        uid,
        resourceVersion,
      },
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${shown} does not exist in namespace "${namespace}"`,
      source: { component: 'garbage-collector-controller' },
      type: 'Warning',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    client
      .resource(events, namespace || clusterEvents)
      .create(event)
      .catch(report);
  }
}
