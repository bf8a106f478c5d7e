import type { ResourceTarget } from '../http/request-info.ts';
import { isVersionZero } from '../meta/resource-version.ts';
import { continueExpired, decodeContinue, type Resource, type Verbs } from '../registry/index.ts';
import { staleWatch } from './stale-watch.ts';

interface Finder {
  find(target: ResourceTarget): Resource | undefined;
  hasGroup(group: string): boolean;
}

export interface ReadFault {
  /** The oldest state that the read may use. Undefined: the current state. */
  readonly revision?: number;
  readonly expiresContinue?: boolean;
}

/** Serves selected reads from older states, or as if their continue tokens had expired. */
export class FaultyReads {
  /** Keyed by the target of the request, which is a unique object. */
  readonly #faults = new WeakMap<ResourceTarget, ReadFault>();
  readonly #compactedRevision: () => number;

  constructor(compactedRevision: () => number) {
    this.#compactedRevision = compactedRevision;
  }

  add(target: ResourceTarget, fault: ReadFault): void {
    this.#faults.set(target, { ...this.#faults.get(target), ...fault });
  }

  resources(inner: Finder): Finder {
    return {
      hasGroup: (group) => inner.hasGroup(group),
      find: (target) => {
        const resource = inner.find(target);
        const fault = this.#faults.get(target);
        if (fault === undefined || resource === undefined) return resource;
        return this.#faulty(resource, fault);
      },
    };
  }

  #faulty(resource: Resource, { revision, expiresContinue }: ReadFault): Resource {
    const { verbs, subresources } = resource;
    const { list, watch } = verbs;
    if (list === undefined) return resource;
    /** Returns undefined when the client must get the latest state. */
    const stale = (version: string | undefined): number | undefined => {
      if (revision === undefined || !version || !/^[0-9]+$/.test(version)) return undefined;
      return Math.max(revision, Number(version), this.#compactedRevision());
    };
    const faultyList: Verbs['list'] = (request) => {
      if (expiresContinue && request.continueToken !== '') {
        throw continueExpired(decodeContinue(request.continueToken));
      }
      const { resourceVersion, resourceVersionMatch: match, limit, continueToken } = request;
      const isExact = match === 'Exact' || (match === '' && limit > 0 && !isVersionZero(resourceVersion));
      const version = isExact || continueToken !== '' ? undefined : stale(resourceVersion);
      if (version === undefined) return list(request);
      return list({ ...request, resourceVersion: String(version), resourceVersionMatch: 'Exact' });
    };
    const faultyWatch: Verbs['watch'] = (request) => {
      const beginsWithState = request.sendInitialEvents ?? isVersionZero(request.resourceVersion);
      const version = beginsWithState ? stale(request.resourceVersion) : undefined;
      return version === undefined ? watch!(request) : staleWatch({ list, watch: watch! }, request, version);
    };
    const withStaleGet = ({ get, ...others }: Verbs): Verbs => {
      if (get === undefined) return others;
      return { ...others, get: (request) => get({ ...request, pastRevision: stale(request.resourceVersion) }) };
    };
    return {
      ...resource,
      verbs: { ...withStaleGet(verbs), list: faultyList, ...(watch && { watch: faultyWatch }) },
      subresources: new Map(Array.from(subresources, ([name, inner]) => [name, withStaleGet(inner)])),
    };
  }
}
