import type { CorpusEntry } from './corpus-entry.ts';

const notName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const pod = { kind: 'Pod', namespace: 'corpus', name: 'p' };
const eventTime = '2024-05-06T07:08:09.000123Z';
const lastObservedTime = '2024-05-06T07:09:09.000000Z';
const origin = { reportingController: 'example.com/c', reportingInstance: 'c-0' };
const happened = { ...origin, eventTime, regarding: pod, action: 'Bind', reason: 'Bound', type: 'Normal' };
const neverBefore = { deprecatedSource: {}, deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null };

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/events',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, involvedObject: { namespace: 'corpus' } },
        expected: {
          involvedObject: { namespace: 'corpus' },
          source: {},
          firstTimestamp: null,
          lastTimestamp: null,
          eventTime: null,
          reportingComponent: '',
          reportingInstance: '',
        },
      },
      {
        name: 'an old one about an odd thing',
        object: {
          metadata: { name: 'Old_One', finalizers: ['bare'] },
          involvedObject: pod,
          type: 'Odd',
          count: 4,
          reason: 'r'.repeat(129),
          source: { component: 'kubelet' },
          lastTimestamp: '2024-05-06T07:08:09Z',
          series: { count: 1 },
        },
        expected: {
          involvedObject: pod,
          reason: 'r'.repeat(129),
          source: { component: 'kubelet' },
          firstTimestamp: null,
          lastTimestamp: '2024-05-06T07:08:09Z',
          count: 4,
          type: 'Odd',
          eventTime: null,
          series: { count: 1, lastObservedTime: null },
          reportingComponent: '',
          reportingInstance: '',
        },
      },
      {
        name: 'a new one about another namespace',
        object: {
          metadata: { name: 'new' },
          involvedObject: { kind: 'Pod', namespace: 'elsewhere', name: 'p' },
          eventTime,
          reportingComponent: 'c',
          reportingInstance: 'c-0',
          action: 'Bind',
          reason: 'Bound',
        },
        expected: {
          involvedObject: { kind: 'Pod', namespace: 'elsewhere', name: 'p' },
          reason: 'Bound',
          source: {},
          firstTimestamp: null,
          lastTimestamp: null,
          eventTime,
          action: 'Bind',
          reportingComponent: 'c',
          reportingInstance: 'c-0',
        },
      },
    ],
    invalid: [
      {
        name: 'an old one about another namespace',
        object: { metadata: { name: 'other' }, involvedObject: { namespace: 'elsewhere' } },
        errors: ['involvedObject.namespace: Invalid value: "elsewhere": does not match event.namespace'],
      },
      {
        name: 'a new one that says nothing',
        object: { metadata: { name: 'new' }, eventTime },
        errors: [
          'involvedObject.namespace: Invalid value: "": does not match event.namespace',
          'reportingComponent: Required value',
          'reportingComponent: Invalid value: "": name part must be non-empty',
          `reportingComponent: Invalid value: "": ${notName}`,
          'reportingInstance: Required value',
          'action: Required value',
          'reason: Required value',
        ],
      },
      {
        name: 'a new one that says too much',
        object: {
          metadata: { name: 'long' },
          involvedObject: pod,
          eventTime,
          reportingComponent: 'a b',
          reportingInstance: 'i'.repeat(129),
          action: 'a'.repeat(129),
          reason: 'r'.repeat(129),
          message: 'm'.repeat(1025),
        },
        errors: [
          `reportingComponent: Invalid value: "a b": ${notName}`,
          'reportingInstance: Invalid value: "": can have at most 128 characters',
          'action: Invalid value: "": can have at most 128 characters',
          'reason: Invalid value: "": can have at most 128 characters',
          'message: Invalid value: "": can have at most 1024 characters',
        ],
      },
    ],
  },
  {
    path: '/apis/events.k8s.io/v1/namespaces/corpus/events',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, ...happened },
        expected: { ...happened, ...neverBefore },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich', finalizers: ['example.com/f'] },
          ...happened,
          type: 'Warning',
          note: 'n'.repeat(1024),
          related: { kind: 'Node', name: 'n' },
          series: { count: 2, lastObservedTime },
        },
        expected: {
          ...happened,
          type: 'Warning',
          note: 'n'.repeat(1024),
          related: { kind: 'Node', name: 'n' },
          series: { count: 2, lastObservedTime },
          ...neverBefore,
        },
      },
    ],
    invalid: [
      {
        name: 'one that says nothing',
        object: { metadata: { name: 'nothing' }, regarding: pod },
        errors: ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
      },
      {
        name: 'a series of one',
        object: { metadata: { name: 'series' }, ...happened, series: { count: 1, lastObservedTime: null } },
        errors: ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
      },
      {
        name: 'fields of old events',
        object: {
          metadata: { name: 'old' },
          ...happened,
          reportingController: '',
          deprecatedCount: 1,
          deprecatedFirstTimestamp: '2024-05-06T07:08:09Z',
          deprecatedLastTimestamp: '2024-05-06T07:08:09Z',
          deprecatedSource: { host: 'h' },
        },
        errors: [
          'reportingController: Required value',
          'reportingController: Invalid value: "": name part must be non-empty',
          `reportingController: Invalid value: "": ${notName}`,
          'firstTimestamp: Invalid value: "": needs to be unset',
          'lastTimestamp: Invalid value: "": needs to be unset',
          'count: Invalid value: "": needs to be unset',
          'source: Invalid value: "": needs to be unset',
        ],
      },
    ],
  },
];
