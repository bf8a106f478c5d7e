import { since } from '../../meta/human-duration.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { Event } from '../core/event-types.ts';
import { eventToStored } from '../events/event-conversion.ts';
import { eventDefinitions } from './definitions/core.ts';

export const eventColumns: TableColumns = {
  definitions: eventDefinitions,
  cells(object, now) {
    const { metadata, involvedObject, type = '', reason = '', message = '', series } = object as Event;
    const { firstTimestamp, lastTimestamp, eventTime, count } = object as Event;
    const firstSeen = since(firstTimestamp || eventTime, now);
    const lastSeen = lastTimestamp ? since(lastTimestamp, now) : firstSeen;
    return [
      series === undefined ? lastSeen : since(series.lastObservedTime, now),
      type,
      reason,
      subject(object),
      involvedObject?.fieldPath ?? '',
      sourceText(object),
      message.trim(),
      firstSeen,
      // An event that happened once may have no count.
      series === undefined ? count || 1 : (series.count ?? 0),
      metadata.name ?? '',
    ];
  },
};

/** Columns for events of events.k8s.io. */
export const regardingEventColumns: TableColumns = {
  definitions: eventDefinitions,
  cells: (object, now) => eventColumns.cells(eventToStored(object), now),
};

function subject({ involvedObject }: Event): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceText({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance;
  return instance ? `${component}, ${instance}` : component;
}
