import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { Event } from '../core/event-types.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { internalName } from '../validation/internal-types.ts';
import { internalValue } from '../validation/internal-value.ts';

/** The immutable fields of the stored version, in the order of comparison. kube-apiserver compares `reason` twice. */
const immutableFields: readonly { readonly field: string; readonly path?: string }[] = [
  { field: 'involvedObject' },
  { field: 'reason' },
  { field: 'message' },
  { field: 'source' },
  { field: 'firstTimestamp' },
  { field: 'lastTimestamp' },
  { field: 'count' },
  { field: 'reason' },
  { field: 'type' },
  { field: 'eventTime' },
  { field: 'action' },
  { field: 'related' },
  { field: 'reportingComponent', path: 'reportingController' },
  { field: 'reportingInstance' },
];

/** Only the series of an event may change. */
export function validateEventUnchanged(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const [internal, oldInternal] = [next, oldObject].map((event) => internalValue(Event, event) as Values);
  return immutableFields.flatMap(({ field, path = field }) => {
    const name = internalName(Event.name, field);
    return validateImmutable({ next: internal![name], oldValue: oldInternal![name] }, path);
  });
}

type Values = Readonly<Record<string, unknown>>;
