import type { ObjectMeta } from '../api/api-object.ts';
import type { ResourceType } from '../api/resource-type.ts';

/** Something that somebody did to an object. */
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

interface ManagedFields {
  readonly manager?: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** What the metadata of an object still tells: its creation, and the last change of each of its managers. */
export function changesOf(metadata: ObjectMeta, type: ResourceType): Change[] {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return ((metadata.managedFields ?? []) as readonly ManagedFields[]).flatMap(
    ({ manager = '', subresource = '', time = '' }, index) => {
      const at = Date.parse(time);
      if (!Number.isFinite(at)) return [];
      const action = at === created ? ('created' as const) : ('changed' as const);
      return [
        change(metadata, type, { id: `${metadata.uid}/${index}/${time}`, time: at, action, manager, subresource }),
      ];
    },
  );
}

/** What an event of a watch tells. */
export function changeOf(
  event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: { readonly metadata: ObjectMeta } },
  type: ResourceType,
  now: number,
): Change {
  const { metadata } = event.object;
  const managers = ((metadata.managedFields ?? []) as readonly ManagedFields[]).toSorted(
    (a, b) => Date.parse(b.time ?? '') - Date.parse(a.time ?? ''),
  );
  const action = ({ ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const)[event.type];
  const { manager = '', subresource = '' } = (event.type === 'DELETED' ? undefined : managers[0]) ?? {};
  const id = `${metadata.uid}/${metadata.resourceVersion}/${action}`;
  return change(metadata, type, { id, time: now, action, manager, subresource });
}

function change(
  { name, namespace, resourceVersion = '' }: ObjectMeta,
  type: ResourceType,
  rest: Pick<Change, 'id' | 'time' | 'action' | 'manager' | 'subresource'>,
): Change {
  return { ...rest, type, name, namespace, version: resourceVersion };
}

/** Adds changes, the newest first. Only so many are kept. */
export function mergeChanges(known: readonly Change[], more: readonly Change[], limit: number): Change[] {
  const byId = new Map([...known, ...more].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).slice(0, limit);
}
