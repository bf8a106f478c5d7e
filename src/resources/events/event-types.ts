import { field, int32, microTime, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { EventSource } from '../core/event-types.ts';
import { ObjectReference } from '../core/reference-types.ts';

export const Event = struct('events/v1.Event', () => ({
  metadata: field(1, ObjectMeta, { always: true }),
  eventTime: field(2, microTime, { required: true, always: true }),
  series: field(3, EventSeries, { pointer: true }),
  reportingController: field(4, string),
  reportingInstance: field(5, string),
  action: field(6, string),
  reason: field(7, string),
  regarding: field(8, ObjectReference),
  related: field(9, ObjectReference, { pointer: true }),
  note: field(10, string),
  type: field(11, string),
  deprecatedSource: field(12, EventSource),
  deprecatedFirstTimestamp: field(13, time),
  deprecatedLastTimestamp: field(14, time),
  deprecatedCount: field(15, int32),
}));

export const EventSeries = struct('events/v1.EventSeries', () => ({
  count: field(1, int32, { required: true, always: true }),
  lastObservedTime: field(2, microTime, { required: true, always: true }),
}));
