import type { ResourceObject } from '../../meta/object.ts';
import { forbidden } from '../../meta/status-error.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const undeletable = new Set(['default', 'kube-system', 'kube-public']);

interface NamespaceSpec {
  finalizers?: string[];
}

/** What is special about the life of a namespace: it stays until its content is gone, which its own finalizers stand for. */
export const namespaceRules = {
  prepareCreate(namespace: ResourceObject): void {
    const { finalizers = [] } = (namespace.spec ?? {}) as NamespaceSpec;
    namespace.spec = { finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] };
    namespace.status = { phase: 'Active' };
    labelWithName(namespace);
  },

  prepareUpdate(next: ResourceObject, stored: ResourceObject): void {
    next.spec = stored.spec;
    labelWithName(next);
  },

  prepareDelete(namespace: ResourceObject): void {
    namespace.status = { ...(namespace.status as object | undefined), phase: 'Terminating' };
    // It takes as long as it takes: nobody is given a time.
    namespace.metadata.deletionGracePeriodSeconds = undefined;
  },

  heldBack(namespace: ResourceObject): boolean {
    return !!(namespace.spec as NamespaceSpec | undefined)?.finalizers?.length;
  },

  admitDelete(name: string): void {
    if (!undeletable.has(name)) return;
    throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted');
  },
};

/** Selectors find a namespace by its name; a client cannot take that away. */
function labelWithName({ metadata }: ResourceObject): void {
  const labels = Object.entries({ ...metadata.labels, [nameLabel]: metadata.name ?? metadata.generateName ?? '' });
  metadata.labels = Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1)));
}
