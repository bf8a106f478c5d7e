import {
  checkFieldSelector,
  type FieldSelector,
  matchesFields,
  parseFieldSelector,
} from '../../meta/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../../meta/label-selector.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { parseResourceVersionOption } from '../../meta/resource-version.ts';
import { expired, notFound, resourceVersionTooLarge } from '../../meta/status-error.ts';
import type { ListResult, StoredObject } from '../../store/index.ts';
import { encodeContinue } from '../continue-token.ts';
import { type ListVersion, listVersion } from '../list-version.ts';
import type { ItemRequest, ListRequest, ObjectList, Selection } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';

export function get(context: ResourceContext, request: ItemRequest): MaybePromise<Buffer> {
  if (request.resourceVersion) {
    const wanted = parseResourceVersionOption(request.resourceVersion, 'get');
    const latest = context.store.revision();
    if (typeof latest !== 'number') return latest.then((now) => getNotOlderThan(context, request, { wanted, now }));
    return getNotOlderThan(context, request, { wanted, now: latest });
  }
  return getLatest(context, request);
}

function getNotOlderThan(
  context: ResourceContext,
  request: ItemRequest,
  { wanted, now }: { wanted: number; now: number },
): MaybePromise<Buffer> {
  if (wanted > now) throw resourceVersionTooLarge(wanted, now);
  return getLatest(context, request);
}

function getLatest(context: ResourceContext, { namespace, name }: ItemRequest): MaybePromise<Buffer> {
  const found = context.store.get(context.key(namespace, name));
  if (found instanceof Promise) return found.then((object) => served(context, object, name));
  return served(context, found, name);
}

function served(context: ResourceContext, object: StoredObject | undefined, name: string): Buffer {
  if (object === undefined) throw notFound(context.groupResource, name);
  return context.document(object);
}

export function list(context: ResourceContext, request: ListRequest): MaybePromise<ObjectList> {
  const result = listStored(context, request);
  if (result instanceof Promise) return result.then((page) => objectList(context, request.namespace, page));
  return objectList(context, request.namespace, result);
}

/** The stored objects that a list request selects. */
export function listStored(context: ResourceContext, request: ListRequest): MaybePromise<ListResult> {
  const version = listVersion(request);
  const matches = selection(context, request);
  const latest = context.store.revision();
  if (typeof latest !== 'number') return latest.then((now) => listAt(context, request, { version, matches, now }));
  return listAt(context, request, { version, matches, now: latest });
}

interface ListPlan {
  readonly version: ListVersion;
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  readonly now: number;
}

function listAt(
  context: ResourceContext,
  request: ListRequest,
  { version, matches, now }: ListPlan,
): MaybePromise<ListResult> {
  const prefix = context.prefix(request.namespace);
  const wanted = wantedRevision(version);
  if (wanted !== undefined && wanted > now) throw resourceVersionTooLarge(wanted, now);
  const options = {
    prefix,
    limit: request.limit,
    ...(matches && { matches }),
    ...(version.mode !== 'notOlderThan' && wanted !== undefined && { revision: wanted }),
    ...(version.mode === 'continue' && { startAfter: prefix + version.position.after }),
  };
  try {
    const result = context.store.list(options);
    return result instanceof Promise ? result.catch((error) => translated(error, version)) : result;
  } catch (error) {
    return translated(error, version);
  }
}

function wantedRevision(version: ListVersion): number | undefined {
  if (version.mode === 'latest') return undefined;
  if (version.mode !== 'continue') return version.revision;
  return version.position.revision < 0 ? undefined : version.position.revision;
}

function translated(error: unknown, version: ListVersion): never {
  if ((error as { code?: unknown }).code !== 'RevisionCompacted') throw error;
  if (version.mode !== 'continue') throw expired('The resourceVersion for the provided list is too old.');
  throw expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, after: version.position.after }),
  );
}

export function objectList(context: ResourceContext, namespace: string, page: ListResult): ObjectList {
  const { revision, continueAfter, remaining } = page;
  return {
    kind: `${context.definition.kind}List`,
    apiVersion: context.apiVersion,
    resourceVersion: String(revision),
    continueToken:
      continueAfter === undefined
        ? ''
        : encodeContinue({ revision, after: context.relativeKey(namespace, continueAfter) }),
    remainingItemCount: remaining,
    items: context.items(page.runs),
  };
}

/** Whether an object is asked for; undefined when all are. */
export function selection(
  context: ResourceContext,
  { labelSelector, fieldSelector }: Selection,
): ((object: StoredObject) => boolean) | undefined {
  if (labelSelector === '' && fieldSelector === '') return undefined;
  const labels: LabelSelector = parseLabelSelector(labelSelector);
  const fields: FieldSelector = parseFieldSelector(fieldSelector);
  const { group, version, kind, rules } = context.definition;
  checkFieldSelector(fields, { rules: rules.fieldSelectors, group, version, kind });
  if (labels.empty && fields.empty) return undefined;
  return (object) =>
    (labels.empty || labels.matches(object.labels)) &&
    (fields.empty || matchesFields(fields, context.read(object), rules.fieldSelectors));
}
