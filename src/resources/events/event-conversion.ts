import type { ResourceObject } from '../../meta/object.ts';

/** Maps fields of `events.k8s.io/v1` to those of `v1`, in the field order of the former. */
const storedNames = {
  eventTime: 'eventTime',
  series: 'series',
  reportingController: 'reportingComponent',
  reportingInstance: 'reportingInstance',
  action: 'action',
  reason: 'reason',
  regarding: 'involvedObject',
  related: 'related',
  note: 'message',
  type: 'type',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
} as const;

const pairs = Object.entries(storedNames).map(([served, stored]) => ({ served, stored }));

export function eventToStored(event: ResourceObject): ResourceObject {
  const converted: ResourceObject = { kind: 'Event', apiVersion: 'v1', metadata: event.metadata };
  for (const { served, stored } of pairs) {
    if (event[served] !== undefined) {
      converted[stored] = event[served];
    }
  }
  return converted;
}

export function eventFromStored(event: ResourceObject): ResourceObject {
  const converted: ResourceObject = { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata: event.metadata };
  for (const { served, stored } of pairs) {
    if (event[stored] !== undefined) {
      converted[served] = event[stored];
    }
  }
  return converted;
}
