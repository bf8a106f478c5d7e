import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { validateFinalizerOwners } from '../../meta/finalizers.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';

const nameLabel = 'kubernetes.io/metadata.name';

interface NamespaceSpec {
  finalizers?: string[];
}

/** What is special about the life of a namespace: it stays until its content is gone, which its own finalizers stand for. */
export const namespaceRules: Partial<ResourceRules> = {
  setDefaults(namespace) {
    const { name } = namespace.metadata;
    if (name) labelWithName(namespace, name);
    const status = (namespace.status ?? {}) as { phase?: string };
    namespace.status = { ...status, phase: status.phase ?? 'Active' };
  },

  prepareCreate(namespace) {
    const { finalizers = [] } = (namespace.spec ?? {}) as NamespaceSpec;
    namespace.spec = { finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] };
    namespace.status = { phase: 'Active' };
    const { name = '' } = namespace.metadata;
    // A generated name that is no label value is no name either, and is complained about once.
    if (name !== '' && labelValueErrors(name).length === 0) labelWithName(namespace, name);
  },

  validate: (namespace) => finalizerErrors(namespace, () => 'spec.finalizers'),

  validateUpdate: (next) => finalizerErrors(next, (index) => `spec.finalizers[${index}]`),

  validateStatus({ metadata, status }) {
    const phase = (status as { phase?: string } | undefined)?.phase ?? '';
    const [expected, state] = metadata.deletionTimestamp === undefined ? ['Active', ''] : ['Terminating', 'not '];
    if (phase === expected) return [];
    return [invalidValue('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` is ${state}empty`)];
  },

  prepareUpdate(next, stored) {
    next.spec = stored.spec;
  },

  prepareDelete(namespace) {
    namespace.status = { ...(namespace.status as object | undefined), phase: 'Terminating' };
    // It takes as long as it takes: nobody is given a time.
    namespace.metadata.deletionGracePeriodSeconds = undefined;
  },

  deletesInPhases: true,

  heldBack(namespace) {
    return !!(namespace.spec as NamespaceSpec | undefined)?.finalizers?.length;
  },
};

/** Selectors find a namespace by its name; a client cannot take that away. */
function labelWithName({ metadata }: ResourceObject, name: string): void {
  if (metadata.labels?.[nameLabel] === name) return;
  const labels = Object.entries({ ...metadata.labels, [nameLabel]: name });
  metadata.labels = Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A new namespace is told of the list as a whole, a changed one of the place in it. */
function finalizerErrors({ spec }: ResourceObject, path: (index: number) => string): FieldError[] {
  const { finalizers } = (spec ?? {}) as NamespaceSpec;
  return (finalizers ?? []).flatMap((name, index) => [
    ...labelKeyErrors(name).map((detail) => invalidValue(path(index), name, detail)),
    ...validateFinalizerOwners([name], '').map((error) => ({ ...error, field: path(index) })),
  ]);
}
