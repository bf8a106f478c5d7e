import type { ResourceObject } from '../meta/object.ts';
import type { Fetch } from './fetch.ts';
import { collectionPath, ResourceClient, type ResourceReference } from './resource-client.ts';

/** A client of one API server. */
export class Client {
  readonly fetch: Fetch;

  constructor(fetch: Fetch) {
    this.fetch = fetch;
  }

  /** `namespace` narrows a namespaced type to one namespace, which writing needs. */
  resource<T extends ResourceObject = ResourceObject>(reference: ResourceReference, namespace = ''): ResourceClient<T> {
    return new ResourceClient<T>(this.fetch, collectionPath(reference, namespace));
  }

  /** The same client under another User-Agent. What stands before its first slash becomes the manager of written fields. */
  as(userAgent: string): Client {
    const { fetch } = this;
    return new Client((request) => fetch({ ...request, headers: { 'user-agent': userAgent, ...request.headers } }));
  }
}
