import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { Event } from '../core/event-types.ts';
import { validateEvent } from '../core/event-validation.ts';
import { isSameValue } from '../validation/immutable.ts';
import { validateEventUnchanged } from './event-change.ts';
import { eventToStored } from './event-conversion.ts';

/** Errors use the field names of the stored version, except for `reportingController`. */
export const eventRules: Partial<ResourceRules> = {
  createChecks: ['object', 'metadata', 'creation'],
  updateChecks: ['object', 'metadataChange', 'change'],
  validate: (event) => validateEvent(eventToStored(event), { controllerField: 'reportingController' }),
  validateCreate: (event) => newEventErrors(eventToStored(event) as Event),
  validateUpdate(next, oldObject) {
    const event = eventToStored(next) as Event;
    const previous: ResourceObject = eventToStored(oldObject);
    return [
      ...(isSameValue(event.series, previous.series) ? [] : seriesErrors(event)),
      ...validateEventUnchanged(event, previous),
    ];
  },
};

function newEventErrors(event: Event): FieldError[] {
  const errors = seriesErrors(event);
  if (!event.eventTime) errors.push(requiredValue('eventTime'));
  const { type = '' } = event;
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidValue('type', '', `has invalid value: ${type}`));
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[field]) errors.push(notUnset(field));
  }
  if (event.source?.component || event.source?.host) errors.push(notUnset('source'));
  return errors;
}

/** The error for fields that only events of the core group may set. */
const notUnset = (field: string) => invalidValue(field, '', 'needs to be unset');

function seriesErrors({ series }: Event): FieldError[] {
  if (!series) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalidValue('series.count', '', 'should be at least 2'));
  if (!series.lastObservedTime) errors.push(requiredValue('series.lastObservedTime'));
  return errors;
}
