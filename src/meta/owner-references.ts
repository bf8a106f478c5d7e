import { type FieldError, invalidValue } from './field-error.ts';
import type { OwnerReference } from './object.ts';

/** The errors have the path of the list without an index, as in Kubernetes. */
export function validateOwnerReferences(
  references: readonly Partial<OwnerReference>[] | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references ?? []) {
    errors.push(...referenceErrors(reference, field));
    if (reference.controller !== true) continue;
    const name = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller === undefined) controller = name;
    else errors.push(invalidValue(field, references!.map(inEncodingOrder), multipleControllers(controller, name)));
  }
  return errors;
}

function multipleControllers(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
}

function referenceErrors(reference: Partial<OwnerReference>, field: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const errors: FieldError[] = [];
  if (versionOf(apiVersion) === '') {
    errors.push(invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const [key, value] of Object.entries({ kind, name, uid })) {
    if (value === '') errors.push(invalidValue(`${field}.${key}`, value, 'must not be empty'));
  }
  // Events are too numerous and short-lived to own other objects.
  if (apiVersion === 'v1' && kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(invalidValue(field, inEncodingOrder(reference), detail));
  }
  return errors;
}

function versionOf(apiVersion: string): string {
  const segments = apiVersion.split('/');
  return segments.length > 2 ? '' : segments.at(-1)!;
}

/** Clients send the fields in any order; messages show them in the order in which the server encodes them. */
function inEncodingOrder({
  apiVersion = '',
  kind = '',
  name = '',
  uid = '',
  controller,
  blockOwnerDeletion,
}: Partial<OwnerReference>): OwnerReference {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

export interface DistinctOwnerReferences {
  /** The argument itself when there are no duplicates. */
  readonly references: readonly OwnerReference[];
  readonly warning?: string;
}

/** Removes exact duplicates and returns a warning for them. References that differ in any field are kept. */
export function distinctOwnerReferences(
  references: readonly OwnerReference[],
  { afterAdmission = false }: { readonly afterAdmission?: boolean } = {},
): DistinctOwnerReferences {
  const distinct = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const reference of references) {
    const text = JSON.stringify(inEncodingOrder(reference));
    if (distinct.has(text)) repeated.add(reference.uid);
    else distinct.set(text, reference);
  }
  if (repeated.size === 0) return { references };
  const when = afterAdmission ? ' after mutating admission happens' : '';
  const warning =
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may ` +
    `reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`;
  return { references: [...distinct.values()], warning };
}
