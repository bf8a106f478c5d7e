import type { GroupResource } from '../meta/group-version.ts';
import { forbidden, notFound } from '../meta/status-error.ts';
import type { StoredObject } from '../store/index.ts';

export interface NewObject {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

/** Objects live in namespaces that exist, and nothing is added to one that is going away. */
export function admitNamespace({ resource, namespace, name }: NewObject, found: StoredObject | undefined): void {
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  // Looked for as text first: every create asks, and nearly no namespace is terminating.
  if (!found.bytes.includes('"deletionTimestamp":')) return;
  if (found.parse().metadata.deletionTimestamp === undefined) return;
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, name, detail, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}
