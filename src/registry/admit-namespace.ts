import type { GroupResource } from '../meta/group-version.ts';
import { forbidden, notFound } from '../meta/status-error.ts';
import type { StoredObject, ValuesOf } from '../store/index.ts';

export interface NewObject {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

const deletionTimes: ValuesOf = (stored) => {
  // Looked for as text first: nearly no namespace is terminating.
  if (!stored.bytes.includes('"deletionTimestamp":')) return [];
  const { deletionTimestamp } = stored.parse().metadata;
  return deletionTimestamp === undefined ? [] : [deletionTimestamp];
};

/** Objects live in namespaces that exist, and nothing is added to one that is going away. */
export function admitNamespace({ resource, namespace, name }: NewObject, found: StoredObject | undefined): void {
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  // Every create asks, so the answer is kept with the namespace.
  if (found.values(deletionTimes).length === 0) return;
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, name, detail, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}
