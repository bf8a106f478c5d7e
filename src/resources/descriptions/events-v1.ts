import type { TypeTexts } from './type-texts.ts';

export const eventsV1: TypeTexts = {
  Event: {
    '': 'A report of something that happened to an object.',
    eventTime: 'When it was first seen.',
    series: 'Present if it happened more than once.',
    reportingController: 'Name of the controller that reports it, such as `kubernetes.io/kubelet`.',
    reportingInstance: 'ID of the instance that reports it, such as the name of its pod. At most 128 characters.',
    action: 'What was done or failed regarding the object. At most 128 characters.',
    reason: 'Why it was done, as a short CamelCase word. At most 128 characters.',
    regarding: 'The object that the event is about.',
    related: 'Another object that the event involves.',
    note: 'What happened, for people. At most 1 KiB.',
    type: 'Normal or Warning.',
    deprecatedSource: 'The component, in events that were made with the core group.',
    deprecatedFirstTimestamp: 'When it was first seen, in events that were made with the core group.',
    deprecatedLastTimestamp: 'When it was last seen, in events that were made with the core group.',
    deprecatedCount: 'How often it happened, in events that were made with the core group.',
  },
  EventSeries: {
    '': 'Repetitions of an event.',
    count: 'How often it has happened. At least 2.',
    lastObservedTime: 'When it last happened.',
  },
};
