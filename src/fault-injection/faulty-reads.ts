import type { ResourceTarget } from '../http/request-info.ts';
import { mapMaybe } from '../meta/maybe-promise.ts';
import { isVersionZero } from '../meta/resource-version.ts';
import { notFound } from '../meta/status-error.ts';
import { continueExpired, decodeContinue, type Resource, type Verbs } from '../registry/index.ts';

interface Finder {
  find(target: ResourceTarget): Resource | undefined;
  hasGroup(group: string): boolean;
}

export interface ReadFault {
  /** The oldest state that the read may be answered from. Undefined: none but the usual. */
  readonly revision?: number;
  readonly expiresContinue?: boolean;
}

/** Answers reads of some requests from older states, and as if continue tokens had expired. */
export class FaultyReads {
  /** By the target of the request, which is an object of its own for each. */
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
        return { ...resource, verbs: this.#faulty(resource, fault) };
      },
    };
  }

  #faulty({ verbs, definition }: Resource, { revision, expiresContinue }: ReadFault): Verbs {
    const { get, list } = verbs;
    if (list === undefined) return verbs;
    /** Undefined when the client has to get the latest state. */
    const stale = (version: string | undefined): string | undefined => {
      if (revision === undefined || !version || !/^[0-9]+$/.test(version)) return undefined;
      return String(Math.max(revision, Number(version), this.#compactedRevision()));
    };
    const faultyList: Verbs['list'] = (request) => {
      if (expiresContinue && request.continueToken !== '') {
        throw continueExpired(decodeContinue(request.continueToken));
      }
      const { resourceVersion, resourceVersionMatch: match, limit, continueToken } = request;
      const isExact = match === 'Exact' || (match === '' && limit > 0 && !isVersionZero(resourceVersion));
      const version = isExact || continueToken !== '' ? undefined : stale(resourceVersion);
      if (version === undefined) return list(request);
      return list({ ...request, resourceVersion: version, resourceVersionMatch: 'Exact' });
    };
    const faultyGet: Verbs['get'] = (request) => {
      const { namespace, name, resourceVersion } = request;
      const version = stale(resourceVersion);
      if (version === undefined) return get!(request);
      const named = list({
        namespace,
        fieldSelector: `metadata.name=${name}`,
        labelSelector: '',
        resourceVersion: version,
        resourceVersionMatch: 'Exact',
        limit: 0,
        continueToken: '',
      });
      return mapMaybe(named, (found) => {
        for (const { documents } of found.documents()) for (const document of documents()) return document;
        throw notFound(definition, name);
      });
    };
    return { ...verbs, list: faultyList, ...(get !== undefined && { get: faultyGet }) };
  }
}
