import type { Authorizer } from '../authz/index.ts';
import { goQuote } from '../meta/go-quote.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { pathSegmentErrors } from '../meta/names.ts';
import { badRequest, methodNotSupported, routeMethodNotAllowed, routeNotFound } from '../meta/status-error.ts';
import type { Resource, ResourceSet, Verbs } from '../registry/index.ts';
import { authorize } from './filters/authorize.ts';
import { handleDelete, handleDeleteCollection } from './handlers/delete.ts';
import { handleGet } from './handlers/get.ts';
import { handleList } from './handlers/list.ts';
import { handleWatch, type WatchLimits } from './handlers/watch.ts';
import { handleCreate, handlePatch, handleUpdate } from './handlers/write.ts';
import { respondText } from './render.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceTarget } from './request-info.ts';

export interface ApiRouterOptions {
  readonly resources: ResourceSet;
  readonly authorizer: Authorizer;
  /** The status of a create by POST. */
  readonly createStatus: number;
  readonly watchLimits: WatchLimits;
}

/** Leads a request on a resource to the handler of its verb. */
export class ApiRouter {
  readonly #options: ApiRouterOptions;

  constructor(options: ApiRouterOptions) {
    this.#options = options;
  }

  route(context: RequestContext, target: ResourceTarget): MaybePromise<void> {
    const { resources } = this.#options;
    const resource = resources.find(target);
    if (resource === undefined) {
      if (target.group !== '' && !resources.hasGroup(target.group)) {
        return respondText(context.exchange, 404, '404 page not found\n');
      }
      throw routeNotFound();
    }
    checkScope(resource, target);
    checkNames(target);
    if (target.isWatchPath) return this.#routeWatch(context, target, resource);
    if (target.subresource !== '') return this.#routeItem(context, target, this.#subresource(resource, target));
    return target.name === ''
      ? this.#routeCollection(context, target, resource)
      : this.#routeItem(context, target, resource.verbs);
  }

  #subresource(resource: Resource, target: ResourceTarget): Verbs {
    const verbs = resource.subresources.get(target.subresource);
    if (verbs === undefined) throw routeNotFound();
    return verbs;
  }

  #routeItem(context: RequestContext, target: ResourceTarget, verbs: Verbs): MaybePromise<void> {
    switch (context.exchange.method) {
      case 'GET':
        if (verbs.get) return handleGet(context, target, verbs.get);
        break;
      case 'PUT':
        if (verbs.update) {
          const authorizeCreate = () => authorize(context, this.#options.authorizer, 'create');
          return handleUpdate(context, target, { update: verbs.update, authorizeCreate });
        }
        break;
      case 'PATCH':
        if (verbs.patch) return handlePatch(context, target, verbs.patch);
        break;
      case 'DELETE':
        if (verbs.delete) return handleDelete(context, target, verbs.delete);
        break;
      case 'POST':
        if (verbs.create && target.subresource !== '') {
          return handleCreate(context, target, { create: verbs.create, status: this.#options.createStatus });
        }
        break;
    }
    throw routeMethodNotAllowed();
  }

  #routeWatch(context: RequestContext, target: ResourceTarget, resource: Resource): MaybePromise<void> {
    const { watch } = resource.verbs;
    if (context.exchange.method !== 'GET') throw routeMethodNotAllowed();
    if (watch === undefined) throw methodNotSupported(resource.definition, 'watch');
    return handleWatch(context, target, { resource, watch, limits: this.#options.watchLimits });
  }

  #routeCollection(context: RequestContext, target: ResourceTarget, resource: Resource): MaybePromise<void> {
    const { verbs, definition } = resource;
    const allNamespaces = definition.namespaced && target.namespace === '';
    switch (context.exchange.method) {
      case 'GET':
        if (context.info.verb === 'watch') return this.#routeWatch(context, target, resource);
        if (verbs.list) return handleList(context, target, verbs.list);
        break;
      case 'POST':
        if (verbs.create && !allNamespaces) {
          return handleCreate(context, target, { create: verbs.create, status: this.#options.createStatus });
        }
        break;
      case 'DELETE':
        if (verbs.deletecollection && !allNamespaces)
          return handleDeleteCollection(context, target, verbs.deletecollection);
        break;
    }
    throw routeMethodNotAllowed();
  }
}

/** A namespaced object is found in its namespace only, and a cluster-scoped one in none. */
function checkScope({ definition }: Resource, { namespace, name, misshapen }: ResourceTarget): void {
  const misplaced = definition.namespaced ? namespace === '' && name !== '' : namespace !== '';
  if (misplaced || misshapen) throw routeNotFound();
}

function checkNames({ name, namespace }: ResourceTarget): void {
  for (const [what, value] of [
    ['Name', name],
    ['Namespace', namespace],
  ] as const) {
    const problems = value === '' ? [] : pathSegmentErrors(value);
    if (problems.length > 0) {
      throw badRequest(`${what} parameter invalid: ${goQuote(value)}: ${problems.join(';')}`);
    }
  }
}
