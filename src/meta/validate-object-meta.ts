import { type FieldError, forbiddenValue, invalidValue, requiredValue } from './field-error.ts';
import { validateFinalizerOwners, validateFinalizers, validateNoNewFinalizers } from './finalizers.ts';
import { dnsLabelErrors, type NameCheck, type NameRule, nameCheck } from './names.ts';
import type { ObjectMeta } from './object.ts';
import { validateOwnerReferences } from './owner-references.ts';
import { validateAnnotations, validateLabels } from './validate-labels.ts';
import { validateManagedFields } from './validate-managed-fields.ts';

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule | NameCheck;
  /**
   * `standard`: a finalizer without a domain must be a standard one, as for built-in types. `any`: as for custom
   * resources.
   */
  readonly finalizers?: 'standard' | 'any';
}

/** Validates the metadata of a new object, after its name has been generated and its namespace has been set. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const { name = '', generation = 0 } = meta;
  const errors = generateNameErrors(meta.generateName, rules);
  if (name === '') errors.push(requiredValue('metadata.name', 'name or generateName is required'));
  else for (const detail of nameCheck(rules.nameRule)(name)) errors.push(invalidValue('metadata.name', name, detail));
  errors.push(...namespaceErrors(meta.namespace, rules.namespaced));
  if (generation < 0) {
    errors.push(invalidValue('metadata.generation', generation, 'must be greater than or equal to 0'));
  }
  // Most objects have only some of these fields, so absent ones are skipped.
  const { labels, annotations, ownerReferences, finalizers, managedFields } = meta;
  if (labels !== undefined) errors.push(...validateLabels(labels, 'metadata.labels'));
  if (annotations !== undefined) errors.push(...validateAnnotations(annotations, 'metadata.annotations'));
  if (ownerReferences !== undefined) {
    errors.push(...validateOwnerReferences(ownerReferences, 'metadata.ownerReferences'));
  }
  if (finalizers !== undefined) errors.push(...validateFinalizers(finalizers, 'metadata.finalizers'));
  if (managedFields !== undefined) errors.push(...validateManagedFields(managedFields, 'metadata.managedFields'));
  if (finalizers !== undefined && rules.finalizers !== 'any') {
    errors.push(...validateFinalizerOwners(finalizers, 'metadata.finalizers'));
  }
  return errors;
}

function generateNameErrors(prefix: string | undefined, { nameRule }: ObjectMetaRules): FieldError[] {
  if (!prefix) return [];
  const details = nameCheck(nameRule)(prefix, { prefix: true });
  return details.map((detail) => invalidValue('metadata.generateName', prefix, detail));
}

function namespaceErrors(namespace: string | undefined, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace ? [forbiddenValue('metadata.namespace', 'not allowed on this type')] : [];
  if (!namespace) return [requiredValue('metadata.namespace')];
  return dnsLabelErrors(namespace).map((detail) => invalidValue('metadata.namespace', namespace, detail));
}

/** Validates a change of the metadata. The caller compares the resourceVersion. */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  { finalizers = 'standard' }: Pick<ObjectMetaRules, 'finalizers'> = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (previous.deletionTimestamp !== undefined) {
    errors.push(...validateNoNewFinalizers(next.finalizers, previous.finalizers, 'metadata.finalizers'));
  }
  const { generation = 0 } = next;
  if (generation < (previous.generation ?? 0)) {
    errors.push(invalidValue('metadata.generation', generation, 'must not be decremented'));
  }
  errors.push(
    ...immutableErrors(next, previous),
    ...validateLabels(next.labels, 'metadata.labels'),
    ...validateAnnotations(next.annotations, 'metadata.annotations'),
    ...validateOwnerReferences(next.ownerReferences, 'metadata.ownerReferences'),
    ...validateManagedFields(next.managedFields, 'metadata.managedFields'),
  );
  if (finalizers !== 'any') errors.push(...validateFinalizerOwners(next.finalizers, 'metadata.finalizers'));
  return errors;
}

function immutableErrors(next: ObjectMeta, previous: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const keep = (field: keyof ObjectMeta, values: { next: unknown; same: boolean }) => {
    if (!values.same) errors.push(invalidValue(`metadata.${field}`, values.next, 'field is immutable'));
  };
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const value = next[field] ?? '';
    keep(field, { next: value, same: value === (previous[field] ?? '') });
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    keep(field, { next: next[field], same: isSameTime(next[field], previous[field]) });
  }
  const grace = next.deletionGracePeriodSeconds;
  keep('deletionGracePeriodSeconds', { next: grace, same: grace === previous.deletionGracePeriodSeconds });
  return errors;
}

/** Compares instants, because the same instant has several spellings. */
function isSameTime(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left === right || Date.parse(left) === Date.parse(right);
}

/**
 * Runs on every update before the validation of the type, which calls `validateObjectMetaUpdate` again. A metadata
 * error in an update is therefore found twice: it appears once in the message and twice in the causes.
 */
export function validateCommonUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  { namespaced }: Pick<ObjectMetaRules, 'namespaced'>,
): FieldError[] {
  return [
    ...validateObjectMeta(next, { namespaced, nameRule: 'pathSegment', finalizers: 'any' }),
    ...validateObjectMetaUpdate(next, previous, { finalizers: 'any' }),
  ];
}
