import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { validateFinalizerOwners } from '../../meta/finalizers.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { NamespaceSpec } from './namespace-types.ts';

const nameLabel = 'kubernetes.io/metadata.name';

/** `spec.finalizers` keeps a deleted namespace until its content is deleted. */
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
    // A name that is not a valid label value is not a valid name either. Name validation reports it.
    if (name !== '' && labelValueErrors(name).length === 0) labelWithName(namespace, name);
  },

  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],

  validate: (namespace) => finalizerErrors(namespace, () => 'spec.finalizers'),

  validateUpdate: (next) => finalizerErrors(next, (index) => `spec.finalizers[${index}]`),

  validateStatus({ metadata, status }) {
    const phase = (status as { phase?: string } | undefined)?.phase ?? '';
    const [expected, state] = metadata.deletionTimestamp === undefined ? ['Active', ''] : ['Terminating', 'not '];
    if (phase === expected) return [];
    return [invalidValue('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` is ${state}empty`)];
  },

  prepareUpdate(next, oldObject) {
    next.spec = oldObject.spec;
  },

  prepareDelete(namespace) {
    namespace.status = { ...(namespace.status as object | undefined), phase: 'Terminating' };
    // The deletion of the content has no time limit.
    namespace.metadata.deletionGracePeriodSeconds = undefined;
  },

  deletesInPhases: true,

  heldBack(namespace) {
    return !!(namespace.spec as NamespaceSpec | undefined)?.finalizers?.length;
  },
};

/** Sets the label by which namespace selectors find a namespace by name. Clients cannot remove it. */
function labelWithName({ metadata }: ResourceObject, name: string): void {
  if (metadata.labels?.[nameLabel] === name) return;
  const labels = Object.entries({ ...metadata.labels, [nameLabel]: name });
  metadata.labels = Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Errors of creates name the list, errors of updates name the index. */
function finalizerErrors({ spec }: ResourceObject, path: (index: number) => string): FieldError[] {
  const { finalizers } = (spec ?? {}) as NamespaceSpec;
  return (finalizers ?? []).flatMap((name, index) => [
    ...labelKeyErrors(name).map((detail) => invalidValue(path(index), name, detail)),
    ...validateFinalizerOwners([name], '').map((error) => ({ ...error, field: path(index) })),
  ]);
}
