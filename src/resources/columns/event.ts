import { since } from '../../meta/human-duration.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { eventToStored } from '../events/event-conversion.ts';
import { eventDefinitions } from './definitions/core.ts';

interface Event extends ResourceObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly fieldPath?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string | null };
}

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
