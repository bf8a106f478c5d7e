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
  const errors = validateGenerateName(meta.generateName, rules);
  if (name === '') errors.push(requiredValue('metadata.name', 'name or generateName is required'));
  else for (const detail of nameCheck(rules.nameRule)(name)) errors.push(invalidValue('metadata.name', name, detail));
  errors.push(...namespaceErrors(meta.namespace, rules));
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

export function validateGenerateName(
  prefix: string | undefined,
  { nameRule }: Pick<ObjectMetaRules, 'nameRule'>,
): FieldError[] {
  if (!prefix) return [];
  const details = nameCheck(nameRule)(prefix, { prefix: true });
  return details.map((detail) => invalidValue('metadata.generateName', prefix, detail));
}

function namespaceErrors(
  namespace: string | undefined,
  { namespaced }: Pick<ObjectMetaRules, 'namespaced'>,
): FieldError[] {
  if (!namespaced) return namespace ? [forbiddenValue('metadata.namespace', 'not allowed on this type')] : [];
  if (!namespace) return [requiredValue('metadata.namespace')];
  return dnsLabelErrors(namespace).map((detail) => invalidValue('metadata.namespace', namespace, detail));
}

/** Validates a change of the metadata. The caller compares the resourceVersion. */
export function validateObjectMetaUpdate(
  newMeta: ObjectMeta,
  oldMeta: ObjectMeta,
  { finalizers = 'standard' }: Pick<ObjectMetaRules, 'finalizers'> = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (oldMeta.deletionTimestamp !== undefined) {
    errors.push(...validateNoNewFinalizers(newMeta.finalizers, oldMeta.finalizers, 'metadata.finalizers'));
  }
  const { generation = 0 } = newMeta;
  if (generation < (oldMeta.generation ?? 0)) {
    errors.push(invalidValue('metadata.generation', generation, 'must not be decremented'));
  }
  errors.push(
    ...immutableErrors(newMeta, oldMeta),
    ...validateLabels(newMeta.labels, 'metadata.labels'),
    ...validateAnnotations(newMeta.annotations, 'metadata.annotations'),
    ...validateOwnerReferences(newMeta.ownerReferences, 'metadata.ownerReferences'),
    ...validateManagedFields(newMeta.managedFields, 'metadata.managedFields'),
  );
  if (finalizers !== 'any') errors.push(...validateFinalizerOwners(newMeta.finalizers, 'metadata.finalizers'));
  return errors;
}

function immutableErrors(newMeta: ObjectMeta, oldMeta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const checkUnchanged = (field: keyof ObjectMeta, { value, same }: { value: unknown; same: boolean }) => {
    if (!same) errors.push(invalidValue(`metadata.${field}`, value, 'field is immutable'));
  };
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const value = newMeta[field] ?? '';
    checkUnchanged(field, { value, same: value === (oldMeta[field] ?? '') });
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    checkUnchanged(field, { value: newMeta[field], same: isSameTime(newMeta[field], oldMeta[field]) });
  }
  const grace = newMeta.deletionGracePeriodSeconds;
  checkUnchanged('deletionGracePeriodSeconds', { value: grace, same: grace === oldMeta.deletionGracePeriodSeconds });
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
