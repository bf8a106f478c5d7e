import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { eventRules } from './event-rules.ts';

const oldObject = {
  metadata: { name: 'e', namespace: 'n' },
  eventTime: '2024-01-01T00:00:00.000001Z',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Do',
  reason: 'R',
  regarding: { kind: 'Pod', namespace: 'n', name: 'p' },
  type: 'Normal',
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};

describe('a changed event', () => {
  it.each([
    ['as it was', {}, []],
    ['that happened again', { series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000001Z' } }, []],
    [
      'with a broken series',
      { series: { count: 1 } },
      ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
    ],
    [
      'about something else',
      { regarding: { kind: 'Pod', namespace: 'n', name: 'q' } },
      [
        'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"n","Name":"q","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
      ],
    ],
    [
      'with everything else',
      {
        reason: 'S',
        note: 'new',
        deprecatedSource: { component: 'c' },
        deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
        deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
        deprecatedCount: 2,
        type: 'Odd',
        eventTime: '2024-01-01T00:00:00.000002Z',
        action: 'Undo',
        related: { kind: 'Node', name: 'x' },
        reportingController: 'd',
        reportingInstance: 'd-1',
      },
      [
        'reason: Invalid value: "S": field is immutable',
        'message: Invalid value: "new": field is immutable',
        'source: Invalid value: {"Component":"c","Host":""}: field is immutable',
        'firstTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable',
        'lastTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable',
        'count: Invalid value: 2: field is immutable',
        'reason: Invalid value: "S": field is immutable',
        'type: Invalid value: "Odd": field is immutable',
        'eventTime: Invalid value: "2024-01-01T00:00:00.000002Z": field is immutable',
        'action: Invalid value: "Undo": field is immutable',
        'related: Invalid value: {"Kind":"Node","Namespace":"","Name":"x","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
        'reportingController: Invalid value: "d": field is immutable',
        'reportingInstance: Invalid value: "d-1": field is immutable',
      ],
    ],
  ])('%s', (_about, change, errors) => {
    expect(eventRules.validateUpdate!({ ...oldObject, ...change }, oldObject).map(fieldErrorText)).toEqual(errors);
  });
});
