import { field, int32, microTime, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';
import { ObjectReference } from './reference-types.ts';

export const Event = struct('core/v1.Event', () => ({
  metadata: field(1, ObjectMeta, { required: true, always: true }),
  involvedObject: field(2, ObjectReference, { required: true, always: true }),
  reason: field(3, string),
  message: field(4, string),
  source: field(5, EventSource),
  firstTimestamp: field(6, time),
  lastTimestamp: field(7, time),
  count: field(8, int32),
  type: field(9, string),
  eventTime: field(10, microTime),
  series: field(11, EventSeries, { pointer: true }),
  action: field(12, string),
  related: field(13, ObjectReference, { pointer: true }),
  reportingComponent: field(14, string, { always: true }),
  reportingInstance: field(15, string, { always: true }),
}));

export type Event = ObjectOf<typeof Event>;

export const EventSource = struct('core/v1.EventSource', () => ({
  component: field(1, string),
  host: field(2, string),
}));

export const EventSeries = struct('core/v1.EventSeries', () => ({
  count: field(1, int32),
  lastObservedTime: field(2, microTime),
}));
