import { describe, expect, it } from 'vitest';
import { eventFromStored, eventToStored } from './event-conversion.ts';

const metadata = { name: 'e', namespace: 'n', labels: { a: 'b' } };

const cases = [
  {
    about: 'an event of today',
    served: {
      eventTime: '2024-01-01T00:00:00.000001Z',
      series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000001Z' },
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Do',
      reason: 'R',
      regarding: { kind: 'Pod', namespace: 'n', name: 'p' },
      related: { kind: 'Node', name: 'n' },
      note: 'hello',
      type: 'Normal',
    },
    stored: {
      eventTime: '2024-01-01T00:00:00.000001Z',
      series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000001Z' },
      reportingComponent: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Do',
      reason: 'R',
      involvedObject: { kind: 'Pod', namespace: 'n', name: 'p' },
      related: { kind: 'Node', name: 'n' },
      message: 'hello',
      type: 'Normal',
    },
  },
  {
    about: 'an event of the old kind',
    served: {
      regarding: { kind: 'Pod', namespace: 'n', name: 'p' },
      deprecatedSource: { component: 'kubelet', host: 'h' },
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2024-01-01T00:01:00Z',
      deprecatedCount: 3,
    },
    stored: {
      involvedObject: { kind: 'Pod', namespace: 'n', name: 'p' },
      source: { component: 'kubelet', host: 'h' },
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: '2024-01-01T00:01:00Z',
      count: 3,
    },
  },
  { about: 'an empty event', served: {}, stored: {} },
];

describe('conversion of events', () => {
  it.each(cases)('converts $about in both directions', ({ served, stored }) => {
    const servedEvent = { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata, ...served };
    const storedEvent = { kind: 'Event', apiVersion: 'v1', metadata, ...stored };
    expect(eventToStored(servedEvent)).toStrictEqual(storedEvent);
    expect(eventFromStored(storedEvent)).toStrictEqual(servedEvent);
  });
});
