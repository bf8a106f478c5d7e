import type { ResourceObject } from '../meta/object.ts';
import type { Fetch } from './fetch.ts';
import { collectionPath, ResourceClient, type ResourceReference } from './resource-client.ts';

/** A client of one API server. */
export class Client {
  readonly fetch: Fetch;

  constructor(fetch: Fetch) {
    this.fetch = fetch;
  }

  /** `namespace` restricts a namespaced type to one namespace, which writes require. */
  resource<T extends ResourceObject = ResourceObject>(reference: ResourceReference, namespace = ''): ResourceClient<T> {
    return new ResourceClient<T>(this.fetch, collectionPath(reference, namespace));
  }

  /** Returns a client with another User-Agent. The text before its first slash becomes the field manager of writes. */
  as(userAgent: string): Client {
    const { fetch } = this;
    return new Client((request) => fetch({ ...request, headers: { 'user-agent': userAgent, ...request.headers } }));
  }
}
