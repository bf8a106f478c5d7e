import type { ResourceObject } from '../meta/object.ts';
import { badRequest } from '../meta/status-error.ts';
import type { ResourceContext } from './resource-context.ts';

/** An absent namespace defaults to that of the path. A different one is an error. Cluster-scoped objects have none. */
export function checkNamespaceMatch({ definition }: ResourceContext, object: ResourceObject, namespace: string): void {
  if (definition.namespaced) checkObjectNamespace(object, namespace);
  else object.metadata.namespace = undefined;
}

/** Like `checkNamespaceMatch`, for an object in a namespace. */
export function checkObjectNamespace(object: ResourceObject, namespace: string): void {
  object.metadata.namespace ||= namespace;
  if (object.metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

export function checkNameMatch(object: ResourceObject, name: string): void {
  const sent = object.metadata.name;
  if (!sent) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (sent !== name) throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
}
