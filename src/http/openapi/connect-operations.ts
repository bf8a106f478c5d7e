import type { SubresourceDefinition, Verb } from '../../registry/resource-definition.ts';
import type { Method, Operation } from './operation.ts';
import { capitalized, operationId, tagOf } from './operation-id.ts';
import type { VerbTarget } from './resource-operations.ts';

/** Whether a subresource is a connection rather than an object. Its kind holds the options of the query. */
export function isConnection({ kind }: SubresourceDefinition): boolean {
  return kind.endsWith('Options');
}

/** Whether a connection forwards requests of any method and path. */
export function isProxy(subresource: SubresourceDefinition): boolean {
  return isConnection(subresource) && subresource.verbs.includes('update');
}

const methodsOfVerbs: Readonly<Partial<Record<Verb, Method>>> = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
};

export function connectOperations(subresource: SubresourceDefinition, target: VerbTarget, suffix: string): Operation[] {
  const methods = subresource.verbs.flatMap((verb) => methodsOfVerbs[verb] ?? []);
  if (isProxy(subresource)) methods.push('head', 'options');
  const { group, version, namespaced, kind } = target.definition;
  return methods.map((method) => ({
    method,
    action: 'connect',
    id: operationId({ verb: 'connect', group, version, infix: capitalized(method), namespaced, kind, suffix }),
    tag: tagOf({ group, version }),
    description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${kind}`,
    kind: target.kind,
    parameters: [],
    consumes: ['*/*'],
    produces: ['*/*'],
    responses: [{ code: 200, type: 'text' }],
  }));
}
