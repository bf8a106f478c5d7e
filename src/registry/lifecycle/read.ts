import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { parseResourceVersionOption, type StatedRevision } from '../../meta/resource-version.ts';
import { expired, notFound } from '../../meta/status-error.ts';
import {
  type ListResult,
  type ObjectScope,
  objectsIn,
  type ReadOptions,
  type StoredObject,
} from '../../store/index.ts';
import { continueExpired, encodeContinue } from '../continue-token.ts';
import { type ListVersion, listVersion } from '../list-version.ts';
import type { ItemRequest, ListRequest, ObjectList, Selection } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { selection } from '../selection.ts';
import { readFailure } from '../storage-failure.ts';
import { waitForRevision } from '../wait-for-revision.ts';

/** Undefined: the object itself. */
type DocumentOf = ((object: StoredObject) => Buffer) | undefined;

/** Returns the object that the request names, or another document about it, such as its scale. */
export function get(context: ResourceContext, request: ItemRequest, documentOf?: DocumentOf): MaybePromise<Buffer> {
  const found = getStored(context, request);
  const { name } = request;
  if (found instanceof Promise) {
    return found.then((object) => served(context, { object, name, documentOf }), unreadable);
  }
  return served(context, { object: found, name, documentOf });
}

function getStored(context: ResourceContext, request: ItemRequest): MaybePromise<StoredObject | undefined> {
  if (request.pastRevision !== undefined || !request.resourceVersion) return storedItem(context, request);
  const atLeast = parseResourceVersionOption(request.resourceVersion, 'get');
  const reached = waitForRevision(context.store, atLeast);
  return mapMaybe(reached, () => storedItem(context, request, { atLeast: Number(atLeast) }));
}

function storedItem(
  context: ResourceContext,
  { namespace, name, pastRevision: revision }: ItemRequest,
  options?: ReadOptions,
): MaybePromise<StoredObject | undefined> {
  const key = context.keys.of(namespace, name);
  if (revision === undefined) return context.store.get(key, options);
  const past = context.store.list({ prefix: context.keys.prefix(namespace), key, revision, limit: 0 });
  return mapMaybe(past, ({ runs }) => runs[0]?.objects[0]);
}

function unreadable(error: unknown): never {
  throw readFailure(error);
}

interface Found {
  readonly object: StoredObject | undefined;
  readonly name: string;
  readonly documentOf: DocumentOf;
}

function served({ codec, groupResource }: ResourceContext, { object, name, documentOf }: Found): MaybePromise<Buffer> {
  if (object === undefined) throw notFound(groupResource, name);
  const ready = codec.ready([object]);
  if (ready !== undefined) return ready.then(() => documentOf?.(object) ?? codec.document(object));
  return documentOf?.(object) ?? codec.document(object);
}

export function list(context: ResourceContext, request: ListRequest): MaybePromise<ObjectList> {
  const result = listStored(context, request);
  if (result instanceof Promise) return result.then((page) => readyList(context, request, page));
  return readyList(context, request, result);
}

function readyList(context: ResourceContext, request: ListRequest, page: ListResult): MaybePromise<ObjectList> {
  const ready = readyPage(context, page);
  return ready === undefined
    ? objectList(context, request, page)
    : ready.then(() => objectList(context, request, page));
}

/** Undefined when all objects of the page can be read. */
export function readyPage(context: ResourceContext, { runs }: Pick<ListResult, 'runs'>): Promise<void> | undefined {
  let waits: Promise<void> | undefined;
  for (const { objects } of runs) {
    waits = waits === undefined ? context.codec.ready(objects) : waits.then(() => context.codec.ready(objects));
  }
  return waits;
}

/** The stored objects that a list request selects. */
export function listStored(context: ResourceContext, request: ListRequest): MaybePromise<ListResult> {
  const version = listVersion(request);
  const scope = selection(context, request);
  const limited = ignoresLimit(context, version) ? { ...request, limit: 0 } : request;
  const reached = waitForRevision(context.store, requestedRevision(version) ?? 0);
  if (reached instanceof Promise) return reached.then(() => listSelected(context, limited, { version, scope }));
  return listSelected(context, limited, { version, scope });
}

/** kube-apiserver reads lists at any version from its cache, as a whole. */
function ignoresLimit({ compatibility }: ResourceContext, version: ListVersion): boolean {
  return !compatibility.limitAtVersionZero && version.mode === 'notOlderThan' && version.revision === 0;
}

/** Fields can only be selected in objects of the served version. A name is part of the key. */
function listSelected(context: ResourceContext, request: ListRequest, plan: ListPlan): MaybePromise<ListResult> {
  const { matches, indexed } = plan.scope;
  const readsNone = request.fieldSelector === '' || (matches === undefined && indexed === undefined);
  if (context.codec.readsAtOnce || readsNone) return listAt(context, request, plan);
  const { prefix } = plan.scope;
  const all = listAt(context, { ...request, limit: 0 }, { version: plan.version, scope: { prefix } });
  return mapMaybe(
    mapMaybe(all, (page) => readyPage(context, page)),
    () => listAt(context, request, plan),
  );
}

interface ListPlan {
  readonly version: ListVersion;
  readonly scope: ObjectScope;
}

function listAt(
  context: ResourceContext,
  request: ListRequest,
  { version, scope }: ListPlan,
): MaybePromise<ListResult> {
  const stated = requestedRevision(version);
  // The store has reached the revision, so a number holds it exactly.
  const wanted = stated === undefined ? undefined : Number(stated);
  const options = {
    ...scope,
    limit: request.limit,
    ...(wanted !== undefined && (version.mode === 'notOlderThan' ? { atLeast: wanted } : { revision: wanted })),
    ...(version.mode === 'continue' && { startAfter: context.keys.prefix(request.namespace) + version.position.after }),
  };
  try {
    const result = context.store.list(options);
    return result instanceof Promise ? result.catch((error) => translated(error, version)) : result;
  } catch (error) {
    return translated(error, version);
  }
}

function requestedRevision(version: ListVersion): StatedRevision | undefined {
  if (version.mode === 'latest') return undefined;
  if (version.mode !== 'continue') return version.revision;
  return version.position.revision < 0 ? undefined : version.position.revision;
}

function translated(error: unknown, version: ListVersion): never {
  if ((error as { code?: unknown }).code !== 'RevisionCompacted') throw readFailure(error);
  if (version.mode !== 'continue') throw expired('The resourceVersion for the provided list is too old.');
  throw continueExpired(version.position);
}

export function objectList(context: ResourceContext, request: Selection, page: ListResult): ObjectList {
  const { namespace, labelSelector, fieldSelector } = request;
  const { revision, continueAfter, remaining } = page;
  const isSelected = labelSelector !== '' || fieldSelector !== '';
  return {
    kind: context.definition.listKind ?? `${context.definition.kind}List`,
    apiVersion: context.apiVersion,
    resourceVersion: revision < 0 ? '' : String(revision),
    continueToken:
      continueAfter === undefined
        ? context.compatibility.emptyContinue
          ? ''
          : undefined
        : encodeContinue({ revision, after: context.keys.relative(namespace, continueAfter) }),
    // The number is not reported with selectors, even where it could be computed.
    remainingItemCount: isSelected ? undefined : remaining,
    count: objectsIn(page),
    get bytes() {
      return page.runs.reduce((sum, run) => sum + run.bytes, 0);
    },
    documents: () => context.codec.documents(page.runs),
    items: (allocate) => context.codec.items(page.runs, allocate),
  };
}
