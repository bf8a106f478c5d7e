import type { Client } from '../../client/index.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import type { OwnerReference } from '../../meta/object.ts';
import { formatTime } from '../../meta/time.ts';
import type { GraphNode } from './owner-graph.ts';

const events = { group: '', version: 'v1', resource: 'events' };
/** Where events about objects without a namespace go. */
const clusterEvents = 'default';
/** How many have been told of, before they are told again. */
const mostRemembered = 1000;

/** Tells by an event, once for each, of objects whose owner is not where they could have one. */
export class ImpossibleOwners {
  readonly #client: Client;
  readonly #report: (error: Error) => void;
  readonly #told = new Set<string>();

  constructor(client: Client, report: (error: Error) => void) {
    this.#client = client;
    this.#report = report;
  }

  tell({ type, object, uid }: GraphNode, owner: OwnerReference): void {
    const key = `${uid} ${owner.uid}`;
    if (this.#told.has(key)) return;
    if (this.#told.size >= mostRemembered) this.#told.clear();
    this.#told.add(key);
    const { name = '', namespace = '', resourceVersion = '' } = object.metadata;
    const shown = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const now = formatTime(new Date());
    const event = {
      metadata: { name: `${name}.${Date.now().toString(16)}${this.#told.size}`, namespace: namespace || clusterEvents },
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
