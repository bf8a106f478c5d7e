import type { ResourceObject } from '../meta/object.ts';
import type { Fetch } from './fetch.ts';
import { ResourceClient, type ResourceReference } from './resource-client.ts';

/** A client of one API server. */
export class Client {
  readonly fetch: Fetch;

  constructor(fetch: Fetch) {
    this.fetch = fetch;
  }

  /** `namespace` narrows a namespaced type to one namespace, which writing needs. */
  resource<T extends ResourceObject = ResourceObject>(reference: ResourceReference, namespace = ''): ResourceClient<T> {
    return new ResourceClient<T>(this.fetch, reference, namespace);
  }
}
