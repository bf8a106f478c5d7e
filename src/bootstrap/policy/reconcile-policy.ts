import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta } from '../../meta/object.ts';
import type { Reconciliation } from '../ensure-object.ts';
import { missingRules } from './missing-rules.ts';
import { autoUpdateAnnotation, type Binding, type Role, type Subject } from './policy-object.ts';

/**
 * Adds missing labels, annotations, rules and selectors. Keeps additions of users, and objects that opt out of updates.
 */
export function reconcileRole(present: Role, wanted: Role): Reconciliation<Role> {
  if (isLeftAlone(present)) return 'keep';
  const metadata = reconciledMetadata(present.metadata, wanted.metadata);
  // A controller writes the rules of aggregated roles.
  const rules = wanted.aggregationRule === undefined ? missingRules(present, wanted) : [];
  const selectors = missingSelectors(present, wanted);
  if (metadata === present.metadata && rules.length === 0 && selectors.length === 0) return 'keep';
  return {
    ...present,
    metadata,
    ...(rules.length > 0 && { rules: [...(present.rules ?? []), ...rules] }),
    ...(selectors.length > 0 && {
      aggregationRule: {
        clusterRoleSelectors: [...(present.aggregationRule?.clusterRoleSelectors ?? []), ...selectors],
      },
    }),
  };
}

/** Like `reconcileRole`. The role of a binding is immutable, so a binding to another role is recreated. */
export function reconcileBinding(present: Binding, wanted: Binding): Reconciliation<Binding> {
  if (isLeftAlone(present)) return 'keep';
  if (!isDeepStrictEqual(present.roleRef, wanted.roleRef)) return 'recreate';
  const metadata = reconciledMetadata(present.metadata, wanted.metadata);
  const { subjects = [] } = present;
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((other) => isSame(other, subject)));
  if (metadata === present.metadata && missing.length === 0) return 'keep';
  return { ...present, metadata, ...(missing.length > 0 && { subjects: [...subjects, ...missing] }) };
}

function isLeftAlone({ metadata }: Role | Binding): boolean {
  return metadata.annotations?.[autoUpdateAnnotation] === 'false';
}

/** Returns the same object when nothing is missing. */
function reconciledMetadata(present: ObjectMeta, wanted: ObjectMeta): ObjectMeta {
  const labels = { ...wanted.labels, ...present.labels };
  const annotations = { ...wanted.annotations, ...present.annotations };
  const isComplete =
    isDeepStrictEqual(labels, present.labels ?? {}) && isDeepStrictEqual(annotations, present.annotations ?? {});
  return isComplete ? present : { ...present, labels, annotations };
}

function missingSelectors(present: Role, wanted: Role) {
  const known = present.aggregationRule?.clusterRoleSelectors ?? [];
  return (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !known.some((other) => isDeepStrictEqual(other, selector)),
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
