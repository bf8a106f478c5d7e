import { isJsonEqual } from '../../meta/json-object.ts';
import type { ObjectMeta } from '../../meta/object.ts';
import type { Reconciliation } from '../ensure-object.ts';
import { missingRules } from './missing-rules.ts';
import { autoUpdateAnnotation, type Binding, type Role, type Subject } from './policy-object.ts';

/**
 * Adds missing labels, annotations, rules and selectors. Keeps additions of users, and objects that opt out of updates.
 */
export function reconcileRole(current: Role, desired: Role): Reconciliation<Role> {
  if (isLeftAlone(current)) return 'keep';
  const metadata = reconciledMetadata(current.metadata, desired.metadata);
  // A controller writes the rules of aggregated roles.
  const rules = desired.aggregationRule === undefined ? missingRules(current, desired) : [];
  const selectors = missingSelectors(current, desired);
  if (metadata === current.metadata && rules.length === 0 && selectors.length === 0) return 'keep';
  return {
    ...current,
    metadata,
    ...(rules.length > 0 && { rules: [...(current.rules ?? []), ...rules] }),
    ...(selectors.length > 0 && {
      aggregationRule: {
        clusterRoleSelectors: [...(current.aggregationRule?.clusterRoleSelectors ?? []), ...selectors],
      },
    }),
  };
}

/** Like `reconcileRole`. The role of a binding is immutable, so a binding to another role is recreated. */
export function reconcileBinding(current: Binding, desired: Binding): Reconciliation<Binding> {
  if (isLeftAlone(current)) return 'keep';
  if (!isJsonEqual(current.roleRef, desired.roleRef)) return 'recreate';
  const metadata = reconciledMetadata(current.metadata, desired.metadata);
  const { subjects = [] } = current;
  const missing = (desired.subjects ?? []).filter((subject) => !subjects.some((other) => isSame(other, subject)));
  if (metadata === current.metadata && missing.length === 0) return 'keep';
  return { ...current, metadata, ...(missing.length > 0 && { subjects: [...subjects, ...missing] }) };
}

function isLeftAlone({ metadata }: Role | Binding): boolean {
  return metadata.annotations?.[autoUpdateAnnotation] === 'false';
}

/** Returns the same object when nothing is missing. */
function reconciledMetadata(current: ObjectMeta, desired: ObjectMeta): ObjectMeta {
  const labels = { ...desired.labels, ...current.labels };
  const annotations = { ...desired.annotations, ...current.annotations };
  const isComplete = isJsonEqual(labels, current.labels ?? {}) && isJsonEqual(annotations, current.annotations ?? {});
  return isComplete ? current : { ...current, labels, annotations };
}

function missingSelectors(current: Role, desired: Role) {
  const known = current.aggregationRule?.clusterRoleSelectors ?? [];
  return (desired.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !known.some((other) => isJsonEqual(other, selector)),
  );
}

function isSame(left: Subject, right: Subject): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    (left.namespace ?? '') === (right.namespace ?? '') &&
    (left.apiGroup ?? '') === (right.apiGroup ?? '')
  );
}
