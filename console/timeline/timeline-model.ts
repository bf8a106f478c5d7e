import type { ObjectMeta } from '../api/api-object.ts';
import type { ResourceType } from '../api/resource-type.ts';

/** A change of an object by a manager. */
export interface Change {
  readonly id: string;
  /** Milliseconds. */
  readonly time: number;
  readonly action: 'created' | 'changed' | 'deleted';
  readonly manager: string;
  readonly subresource: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly version: string;
}

/** An entry of `metadata.managedFields`. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Returns the changes that the metadata of an object still shows: its creation, and the last change by each manager.
 */
export function changesOf(metadata: ObjectMeta, type: ResourceType): Change[] {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const entries = managersOf(metadata).filter(({ time = '' }) => Number.isFinite(Date.parse(time)));
  // Times have a resolution of one second. A manager whose time equals the creation time, and that did not write a
  // subresource, created the object.
  const creator = entries.find(({ time = '', subresource }) => Date.parse(time) === created && !subresource);
  const creation = change(metadata, type, {
    id: creationId(metadata),
    time: created,
    action: 'created',
    manager: creator?.manager ?? '',
    subresource: '',
  });
  const changes = entries
    .filter((entry) => entry !== creator)
    .map(({ manager = '', operation = '', subresource = '', time = '' }) => {
      const id = `${metadata.uid}/${manager}/${operation}/${subresource}/${time}`;
      return change(metadata, type, { id, time: Date.parse(time), action: 'changed', manager, subresource });
    });
  return Number.isFinite(created) ? [creation, ...changes] : changes;
}

/**
 * Returns the change that a watch event shows. `before` contains the previous entries of the managers of the object.
 */
export function changeOf(
  event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: { readonly metadata: ObjectMeta } },
  at: { readonly type: ResourceType; readonly now: number; readonly before?: readonly ManagedFields[] | undefined },
): Change {
  const { metadata } = event.object;
  const action = ({ ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const)[event.type];
  const { manager = '', subresource = '' } =
    (event.type === 'DELETED' ? undefined : writerOf(managersOf(metadata), at.before)) ?? {};
  const id = event.type === 'ADDED' ? creationId(metadata) : `${metadata.uid}/${metadata.resourceVersion}/${action}`;
  return change(metadata, at.type, { id, time: at.now, action, manager, subresource });
}

export function managersOf({ managedFields = [] }: ObjectMeta): readonly ManagedFields[] {
  return managedFields as readonly ManagedFields[];
}

function creationId({ uid }: ObjectMeta): string {
  return `${uid}/created`;
}

/** Returns the manager whose entry differs, or else the newest. */
function writerOf(
  entries: readonly ManagedFields[],
  before: readonly ManagedFields[] | undefined,
): ManagedFields | undefined {
  const known = new Set(before?.map((entry) => JSON.stringify(entry)));
  const changed = before ? entries.filter((entry) => !known.has(JSON.stringify(entry))) : [];
  const newest = (changed.length > 0 ? changed : entries).toSorted(
    (a, b) => Date.parse(b.time ?? '') - Date.parse(a.time ?? ''),
  );
  return newest[0];
}

function change(
  { name, namespace, resourceVersion = '' }: ObjectMeta,
  type: ResourceType,
  rest: Pick<Change, 'id' | 'time' | 'action' | 'manager' | 'subresource'>,
): Change {
  return { ...rest, type, name, namespace, version: resourceVersion };
}

/** Adds changes, the newest first. Keeps a limited number. */
export function mergeChanges(known: readonly Change[], more: readonly Change[], limit: number): Change[] {
  const byId = new Map([...known, ...more].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).slice(0, limit);
}
