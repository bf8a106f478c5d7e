import type { Client } from '../../client/index.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import type { OwnerReference } from '../../meta/object.ts';
import { formatTime } from '../../meta/time.ts';
import type { GraphNode } from './owner-graph.ts';

const events = { group: '', version: 'v1', resource: 'events' };
/** The namespace of events about cluster-scoped objects. */
const clusterEvents = 'default';
/** How many recorded objects are remembered before the memory is cleared. */
const maxRemembered = 1000;

/** Records one event for each object whose owner is in another namespace. */
export class ImpossibleOwners {
  readonly #client: Client;
  readonly #report: (error: Error) => void;
  readonly #recorded = new Set<string>();

  constructor(client: Client, report: (error: Error) => void) {
    this.#client = client;
    this.#report = report;
  }

  record({ type, object, uid }: GraphNode, owner: OwnerReference): void {
    const key = `${uid} ${owner.uid}`;
    if (this.#recorded.has(key)) return;
    if (this.#recorded.size >= maxRemembered) this.#recorded.clear();
    this.#recorded.add(key);
    const { name = '', namespace = '', resourceVersion = '' } = object.metadata;
    const shown = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const now = formatTime(new Date());
    const event = {
      metadata: {
        name: `${name}.${Date.now().toString(16)}${this.#recorded.size}`,
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
    this.#client
      .resource(events, namespace || clusterEvents)
      .create(event)
      .catch(this.#report);
  }
}
