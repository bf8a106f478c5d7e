import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateImmutable } from '../validation/immutable.ts';

/** Converts a value to its format in error messages: all fields, with the names of the internal Go type. */
type Show = (value: unknown) => unknown;

const text: Show = (value) => value ?? '';
const number: Show = (value) => value ?? 0;
const time: Show = (value) => value ?? null;
const reference = fields({
  Kind: 'kind',
  Namespace: 'namespace',
  Name: 'name',
  UID: 'uid',
  APIVersion: 'apiVersion',
  ResourceVersion: 'resourceVersion',
  FieldPath: 'fieldPath',
});

/** The immutable fields of the stored version, in the order of comparison. kube-apiserver compares `reason` twice. */
const immutableFields: readonly { readonly field: string; readonly path?: string; readonly show: Show }[] = [
  { field: 'involvedObject', show: reference },
  { field: 'reason', show: text },
  { field: 'message', show: text },
  { field: 'source', show: fields({ Component: 'component', Host: 'host' }) },
  { field: 'firstTimestamp', show: time },
  { field: 'lastTimestamp', show: time },
  { field: 'count', show: number },
  { field: 'reason', show: text },
  { field: 'type', show: text },
  { field: 'eventTime', show: time },
  { field: 'action', show: text },
  { field: 'related', show: (value) => (value ? reference(value) : null) },
  { field: 'reportingComponent', path: 'reportingController', show: text },
  { field: 'reportingInstance', show: text },
];

/** Only the series of an event may change. */
export function validateEventUnchanged(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  return immutableFields.flatMap(({ field, path = field, show }) => {
    const shown = show(next[field]);
    return validateImmutable({ next: shown, oldValue: show(oldObject[field]), shown }, path);
  });
}

function fields(names: Readonly<Record<string, string>>): Show {
  return (value) => {
    const source = (value ?? {}) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(names).map(([shown, name]) => [shown, source[name] ?? '']));
  };
}
