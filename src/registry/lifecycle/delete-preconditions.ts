import type { ResourceObject } from '../../meta/object.ts';
import { conflict } from '../../meta/status-error.ts';
import type { Preconditions } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';

/** Checks that the object is still the one that the client wants to delete. */
export function checkPreconditions(
  context: ResourceContext,
  { metadata }: ResourceObject,
  { uid, resourceVersion }: Preconditions,
): void {
  const { name = '' } = metadata;
  const usesStoreWording = context.definition.rules.deletesInPhases === true;
  // Most of these messages name the kind where others name the resource.
  const subject = usesStoreWording
    ? context.groupResource
    : { group: context.definition.group, resource: context.definition.kind };
  const failed = (what: 'UID' | 'ResourceVersion', values: { given: string; actual: string | undefined }) =>
    conflict(subject, name, (usesStoreWording ? failedInStore : failedInRecord)(what, values));
  if (uid !== undefined && uid !== metadata.uid) throw failed('UID', { given: uid, actual: metadata.uid });
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw failed('ResourceVersion', { given: resourceVersion, actual: metadata.resourceVersion });
  }
}

interface Values {
  readonly given: string;
  readonly actual: string | undefined;
}

function failedInStore(what: string, { given, actual }: Values): string {
  return `Precondition failed: ${what} in precondition: ${given}, ${what} in object meta: ${actual}`;
}

function failedInRecord(what: 'UID' | 'ResourceVersion', { given, actual }: Values): string {
  const guess = what === 'UID' ? 'might have been deleted and then recreated' : 'might have been modified';
  return `the ${what} in the precondition (${given}) does not match the ${what} in record (${actual}). The object ${guess}`;
}
