import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateImmutable } from '../validation/immutable.ts';

/** How messages show a value: under the names that fields have inside of Kubernetes, absent ones included. */
type Show = (value: unknown) => unknown;

const text: Show = (value) => value ?? '';
const number: Show = (value) => value ?? 0;
const moment: Show = (value) => value ?? null;
const reference = fields({
  Kind: 'kind',
  Namespace: 'namespace',
  Name: 'name',
  UID: 'uid',
  APIVersion: 'apiVersion',
  ResourceVersion: 'resourceVersion',
  FieldPath: 'fieldPath',
});

/** The fields of the stored form that stay as they are, in the order in which they are compared, the reason twice. */
const unchanging: readonly { readonly field: string; readonly path?: string; readonly show: Show }[] = [
  { field: 'involvedObject', show: reference },
  { field: 'reason', show: text },
  { field: 'message', show: text },
  { field: 'source', show: fields({ Component: 'component', Host: 'host' }) },
  { field: 'firstTimestamp', show: moment },
  { field: 'lastTimestamp', show: moment },
  { field: 'count', show: number },
  { field: 'reason', show: text },
  { field: 'type', show: text },
  { field: 'eventTime', show: moment },
  { field: 'action', show: text },
  { field: 'related', show: (value) => (value ? reference(value) : null) },
  { field: 'reportingComponent', path: 'reportingController', show: text },
  { field: 'reportingInstance', show: text },
];

/** An event tells what happened; only how often it did may change. */
export function validateEventUnchanged(next: ResourceObject, stored: ResourceObject): FieldError[] {
  return unchanging.flatMap(({ field, path = field, show }) => {
    const shown = show(next[field]);
    return validateImmutable({ next: shown, stored: show(stored[field]), shown }, path);
  });
}

function fields(names: Readonly<Record<string, string>>): Show {
  return (value) => {
    const source = (value ?? {}) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(names).map(([shown, name]) => [shown, source[name] ?? '']));
  };
}
