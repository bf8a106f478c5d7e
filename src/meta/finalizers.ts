import { type FieldError, forbiddenValue, invalidValue } from './field-error.ts';
import { goQuote } from './go-quote.ts';
import { goStrings } from './go-syntax.ts';
import { labelKeyErrors } from './label-syntax.ts';

/** Orphans the dependents of a deleted object. */
export const orphanFinalizer = 'orphan';
/** Deletes the dependents of an object before the object itself. */
export const foregroundFinalizer = 'foregroundDeletion';

const kubernetesFinalizer = 'kubernetes';
const standardFinalizers: readonly string[] = [kubernetesFinalizer, orphanFinalizer, foregroundFinalizer];

/** Checks the syntax, and that the finalizers do not ask to both orphan and delete the dependents. */
export function validateFinalizers(finalizers: readonly string[] | undefined, field: string): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = finalizers.flatMap((name) => labelKeyErrors(name).map((detail) => invalidValue(field, name, detail)));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalidValue(field, finalizers, detail));
  }
  return errors;
}

/** For built-in types, a finalizer without a domain must be one of the standard ones. */
export function validateFinalizerOwners(finalizers: readonly string[] | undefined, field: string): FieldError[] {
  return (finalizers ?? []).flatMap((name, index) => {
    if (name.includes('/') || standardFinalizers.includes(name)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalidValue(`${field}[${index}]`, name, detail)];
  });
}

/** Rejects new finalizers on an object that is being deleted: they could delay its removal forever. */
export function validateNoNewFinalizers(
  newFinalizers: readonly string[] | undefined,
  oldFinalizers: readonly string[] | undefined,
  field: string,
): FieldError[] {
  const added = addedTo(newFinalizers, oldFinalizers);
  if (added.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`;
  return [forbiddenValue(field, detail)];
}

/** Custom resources may have finalizers without a domain. Each one that is added causes a warning. */
export function finalizerWarnings(
  newFinalizers: readonly string[] | undefined,
  oldFinalizers: readonly string[] | undefined = [],
): string[] {
  const unqualified = addedTo(newFinalizers, oldFinalizers).filter(
    (name) => !name.includes('/') && name !== orphanFinalizer && name !== foregroundFinalizer,
  );
  const advice = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  return unqualified.map((name) => `metadata.finalizers: ${goQuote(name)}: ${advice}`);
}

function addedTo(newFinalizers: readonly string[] | undefined, oldFinalizers: readonly string[] | undefined): string[] {
  return [...new Set(newFinalizers)].filter((name) => !oldFinalizers?.includes(name)).sort();
}
