import { goQuote } from '../meta/go-quote.ts';
import { apiVersionOf, type GroupKind, type GroupVersion } from '../meta/group-version.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { pathSegmentErrors } from '../meta/names.ts';
import {
  badRequest,
  methodNotSupported,
  notFound,
  routeMethodNotAllowed,
  routeNotFound,
} from '../meta/status-error.ts';
import type { Resource, ResourceDefinition, Verbs } from '../registry/index.ts';
import type { StructSchema } from '../schema/model.ts';
import { isCustom } from './discovery/served-catalog.ts';
import type { Authorization } from './filters/authorize.ts';
import { type Connect, handleConnect } from './handlers/connect.ts';
import { type AuthorizeUnsafe, handleDelete, handleDeleteCollection } from './handlers/delete.ts';
import { handleGet } from './handlers/get.ts';
import { type History, handleHistory } from './handlers/history.ts';
import { handleList } from './handlers/list.ts';
import { handlePatch } from './handlers/patch.ts';
import { handleWatch, type WatchLimits } from './handlers/watch.ts';
import { handleCreate, handleUpdate } from './handlers/write.ts';
import { respondText } from './render.ts';
import { defaultColumns } from './representations/default-columns.ts';
import type { RequestContext } from './request-context.ts';
import type { ResourceTarget } from './request-info.ts';
import type { ServedType } from './responses/output-format.ts';

export interface ApiRouterOptions {
  /** Finds the resource that a request addresses. */
  readonly resources: {
    find(target: ResourceTarget): Resource | undefined;
    /** Whether the group has types of the server itself. */
    hasGroup(group: string): boolean;
  };
  readonly authorization: Authorization;
  readonly watchLimits: WatchLimits;
  /** Undefined if no subresource connects clients to other servers. */
  readonly connections?: {
    /** Keyed by names such as `pods/exec`. All are of the core group. */
    readonly endpoints: ReadonlyMap<string, Connect>;
    /** Abort it to end all connections. */
    readonly stop: AbortSignal;
  };
  /** Absent when old versions of objects cannot be read. */
  readonly history?: History;
  /** Whether objects that cannot be read may be deleted, given the permission. */
  readonly unsafeDeletes: boolean;
  /** Undefined for a kind without a schema. */
  readonly schemaOf: (type: GroupKind & GroupVersion) => StructSchema | undefined;
}

/** The verbs on a single object. A subresource has other verbs than its resource, and often another kind. */
interface Item {
  readonly method: string;
  readonly verbs: Verbs;
  readonly servedType: ServedType;
}

/** The kind of a resource or subresource, as it is defined. */
interface DefinedType extends GroupKind, GroupVersion, Pick<ServedType, 'hasRows'> {
  readonly isCustom?: boolean;
  readonly columns: ResourceDefinition['columns'];
}

/** Dispatches a request on a resource to the handler of its verb. */
export class ApiRouter {
  readonly #options: ApiRouterOptions;
  /** A cache by the definition of the resource or subresource. */
  readonly #servedTypes = new WeakMap<object, ServedType>();

  constructor(options: ApiRouterOptions) {
    this.#options = options;
  }

  route(context: RequestContext, target: ResourceTarget): MaybePromise<void> {
    const { resources } = this.#options;
    if (context.info.isHistory) this.#checkHistory(context, target);
    const resource = resources.find(target);
    if (resource === undefined) {
      if (target.group !== '' && !resources.hasGroup(target.group)) return respondNoPage(context);
      throw routeNotFound();
    }
    context.resource = resource;
    if (isCustom(resource.definition) && !isInScope(resource, context, target)) return respondNoPage(context);
    checkScope(resource, target);
    const isAllowed =
      isCustom(resource.definition) ||
      this.#connectionOf(target) !== undefined ||
      allows(resource, target, context.exchange.method);
    // An update compares the name of the path with that of the object.
    if (isAllowed) checkNames(context.exchange.method === 'PUT' ? { ...target, name: '' } : target);
    const { deprecation } = resource.definition.rules;
    if (isCustom(resource.definition) && target.subresource !== 'scale') context.formats = context.formats.custom;
    if (isAllowed && deprecation !== undefined) context.warn(deprecation);
    if (isCustom(resource.definition)) checkCustomVerb(resource, context, target);
    if (target.isWatchPath) return this.#routeWatch(context, target, resource);
    const method = methodOf(context, resource);
    const connect = this.#connectionOf(target);
    if (connect !== undefined) return this.#routeConnection(context, target, { resource, connect });
    if (target.subresource !== '') {
      return this.#routeItem(context, target, { method, ...this.#subresource(resource, target) });
    }
    if (target.name === '') return this.#routeCollection(context, target, resource);
    if (method === 'POST' && isCustom(resource.definition)) {
      return this.#routeCollection(context, { ...target, name: '' }, resource);
    }
    const servedType = this.#resourceType(resource);
    const { history } = this.#options;
    if (context.info.isHistory) return handleHistory(context, target, { resource, servedType, history: history! });
    return this.#routeItem(context, target, { method, verbs: resource.verbs, servedType });
  }

  /** Only single objects have a history, and it can only be read. */
  #checkHistory({ exchange: { method } }: RequestContext, { name, subresource, isWatchPath }: ResourceTarget): void {
    if (this.#options.history === undefined || name === '' || subresource !== '' || isWatchPath) throw routeNotFound();
    if (method !== 'GET' && method !== 'HEAD') throw routeMethodNotAllowed();
  }

  #connectionOf({ group, resource, subresource }: ResourceTarget): Connect | undefined {
    if (subresource === '' || group !== '') return undefined;
    return this.#options.connections?.endpoints.get(`${resource}/${subresource}`);
  }

  #routeConnection(
    context: RequestContext,
    target: ResourceTarget,
    { resource: { definition }, connect }: { resource: Resource; connect: Connect },
  ): MaybePromise<void> {
    const subresource = definition.subresources.find(({ name }) => name === target.subresource)!;
    const { group, version } = definition;
    const kind = subresource.optionsKind ?? subresource.kind;
    const schema = this.#options.schemaOf({ group, version, kind })!;
    return handleConnect(context, target, { connect, subresource, schema, stop: this.#options.connections!.stop });
  }

  #subresource({ subresources, definition }: Resource, target: ResourceTarget): Omit<Item, 'method'> {
    const verbs = subresources.get(target.subresource);
    if (verbs === undefined) throw routeNotFound();
    const subresource = definition.subresources.find(({ name }) => name === target.subresource)!;
    const { kind, groupVersion: { group, version } = definition } = subresource;
    const columns = kind === definition.kind ? definition.columns : subresource.columns;
    // What is only created is an action or a token: a Status or an object that is not stored.
    const hasRows = verbs.create === undefined;
    return { verbs, servedType: this.#servedType(subresource, { group, version, kind, columns, hasRows }) };
  }

  #resourceType({ definition, verbs }: Resource): ServedType {
    const hasRows = verbs.get !== undefined || verbs.list !== undefined;
    const { group, version, kind, columns } = definition;
    return this.#servedType(definition, { group, version, kind, columns, hasRows, isCustom: isCustom(definition) });
  }

  #servedType(definition: object, { columns, hasRows, isCustom = false, ...type }: DefinedType): ServedType {
    const known = this.#servedTypes.get(definition);
    if (known !== undefined) return known;
    const { schemaOf } = this.#options;
    const { group, kind } = type;
    const servedType: ServedType = {
      type: { group, kind, apiVersion: apiVersionOf(type), schema: schemaOf(type), itemsStateKind: isCustom },
      columns: () => columns?.() ?? defaultColumns,
      hasRows,
    };
    this.#servedTypes.set(definition, servedType);
    return servedType;
  }

  #routeItem(context: RequestContext, target: ResourceTarget, { method, verbs, servedType }: Item): MaybePromise<void> {
    const authorizeCreate = () => this.#options.authorization.check(context, 'create');
    switch (method) {
      case 'GET':
        if (verbs.get) return handleGet(context, target, { get: verbs.get, servedType });
        break;
      case 'PUT':
        if (verbs.update) return handleUpdate(context, target, { update: verbs.update, servedType, authorizeCreate });
        break;
      case 'PATCH':
        if (verbs.patch) {
          const { patch, apply } = verbs;
          const isOfCustom = isCustom(context.resource!.definition);
          return handlePatch(context, target, { patch, apply, servedType, isCustom: isOfCustom, authorizeCreate });
        }
        break;
      case 'DELETE':
        if (verbs.delete) {
          return handleDelete(context, target, {
            deleteOne: verbs.delete,
            servedType,
            authorizeUnsafe: this.#authorizeUnsafe(context),
          });
        }
        break;
      case 'POST':
        if (verbs.create && target.subresource !== '') {
          return handleCreate(context, target, { create: verbs.create, servedType });
        }
        break;
    }
    throw target.subresource !== '' || hasItems(verbs) ? routeMethodNotAllowed() : routeNotFound();
  }

  #authorizeUnsafe(context: RequestContext): AuthorizeUnsafe {
    if (!this.#options.unsafeDeletes) return undefined;
    return () => this.#options.authorization.check(context, 'unsafe-delete-ignore-read-errors');
  }

  #routeWatch(context: RequestContext, target: ResourceTarget, resource: Resource): MaybePromise<void> {
    const { watch } = resource.verbs;
    if (methodOf(context, resource) !== 'GET') throw routeMethodNotAllowed();
    if (watch === undefined && target.isWatchPath) throw routeNotFound();
    if (watch === undefined) throw methodNotSupported(resource.definition, 'watch');
    return handleWatch(context, target, {
      watch,
      servedType: this.#resourceType(resource),
      limits: this.#options.watchLimits,
    });
  }

  #routeCollection(context: RequestContext, target: ResourceTarget, resource: Resource): MaybePromise<void> {
    const { verbs, definition } = resource;
    const servedType = this.#resourceType(resource);
    const allNamespaces = definition.namespaced && target.namespace === '';
    switch (methodOf(context, resource)) {
      case 'GET':
        if (context.info.verb === 'watch') return this.#routeWatch(context, target, resource);
        if (verbs.list) return handleList(context, target, { list: verbs.list, servedType });
        break;
      case 'POST':
        if (verbs.create && !allNamespaces) {
          return handleCreate(context, target, { create: verbs.create, servedType });
        }
        break;
      case 'DELETE':
        if (verbs.deletecollection && !allNamespaces)
          return handleDeleteCollection(context, target, {
            deleteMany: verbs.deletecollection,
            servedType,
            authorizeUnsafe: this.#authorizeUnsafe(context),
          });
        break;
    }
    // Types without a list have no path for all namespaces.
    throw allNamespaces && verbs.list === undefined ? routeNotFound() : routeMethodNotAllowed();
  }
}

const itemVerbs: Readonly<Record<string, keyof Verbs>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const collectionVerbs: Readonly<Record<string, keyof Verbs>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

/** Whether a built-in type has the method at the path. */
function allows({ definition, verbs, subresources }: Resource, target: ResourceTarget, method: string): boolean {
  const { name, namespace, subresource, isWatchPath } = target;
  if (isWatchPath) return method === 'GET';
  if (subresource !== '') {
    const verb = method === 'POST' ? 'create' : itemVerbs[method];
    return verb !== undefined && subresources.get(subresource)?.[verb] !== undefined;
  }
  const verb = (name === '' ? collectionVerbs : itemVerbs)[method];
  const inAllNamespaces = name === '' && definition.namespaced && namespace === '';
  return verb !== undefined && verbs[verb] !== undefined && (verb === 'list' || !inAllNamespaces || name !== '');
}

/** The scope of a custom type is part of its path. Requests at other paths get a 404. */
function isInScope({ definition }: Resource, { info }: RequestContext, { namespace }: ResourceTarget): boolean {
  if (!definition.namespaced) return namespace === '';
  return namespace !== '' || info.verb === 'list' || info.verb === 'watch';
}

/** Custom types have their own error messages. */
function checkCustomVerb(
  { definition, ...resource }: Resource,
  { info }: RequestContext,
  target: ResourceTarget,
): void {
  const { name, subresource } = target;
  const verbs = subresource === '' ? resource.verbs : resource.subresources.get(subresource);
  if (verbs === undefined) throw notFound(definition, name);
  const { verb } = info;
  if (name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
  if (!Object.hasOwn(verbs, verb)) throw methodNotSupported(definition, verb);
}

/** Custom types answer HEAD like GET. */
function methodOf({ exchange: { method } }: RequestContext, { definition }: Resource): string {
  return method === 'HEAD' && isCustom(definition) ? 'GET' : method;
}

function respondNoPage({ exchange }: RequestContext): void {
  respondText(exchange, 404, '404 page not found\n');
}

/** Types that are only created have no paths of single objects. */
function hasItems({ get, update, patch, delete: remove }: Verbs): boolean {
  return [get, update, patch, remove].some((verb) => verb !== undefined);
}

/** Namespaced objects exist only in a namespace, and cluster-scoped ones only outside. */
function checkScope({ definition }: Resource, { namespace, name, isMalformed }: ResourceTarget): void {
  const misplaced = definition.namespaced ? namespace === '' && name !== '' : namespace !== '';
  if (misplaced || isMalformed) throw routeNotFound();
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
