import { describe, expect, it } from 'vitest';
import type { ResourceType } from '../api/resource-type.ts';
import { changeOf, changesOf, mergeChanges } from './timeline-model.ts';

const type = { group: '', version: 'v1', resource: 'pods', kind: 'Pod' } as ResourceType;
const metadata = {
  name: 'a',
  namespace: 'b',
  uid: 'u',
  resourceVersion: '5',
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [
    { manager: 'kubectl', time: '2026-01-01T00:00:00Z' },
    { manager: 'kubelet', time: '2026-01-01T00:05:00Z', subresource: 'status' },
    { manager: 'timeless' },
  ],
};
const brief = ({ action, manager, time }: ReturnType<typeof changeOf>) => [
  action,
  manager,
  new Date(time).getUTCMinutes(),
];

describe('timeline', () => {
  it('reads what an object tells about its past', () => {
    expect(changesOf(metadata, type).map(brief)).toEqual([
      ['created', 'kubectl', 0],
      ['changed', 'kubelet', 5],
    ]);
  });

  it('takes nothing for the creation but the creation', () => {
    const time = '2026-01-01T00:00:00Z';
    const managedFields = [
      { manager: 'kubelet', time, subresource: 'status' },
      { manager: 'kubectl', time },
      { manager: 'helm', time, operation: 'Apply' },
    ];
    expect(changesOf({ ...metadata, managedFields }, type).map(brief)).toEqual([
      ['created', 'kubectl', 0],
      ['changed', 'kubelet', 0],
      ['changed', 'helm', 0],
    ]);
    expect(changesOf({ ...metadata, managedFields: [managedFields[0]!] }, type).map(brief)).toEqual([
      ['created', '', 0],
      ['changed', 'kubelet', 0],
    ]);
  });

  it('knows who wrote in the second of another write', () => {
    const time = '2026-01-01T00:00:00Z';
    const before = [
      { manager: 'kubectl', time, fieldsV1: { 'f:spec': {} } },
      { manager: 'kubelet', time, fieldsV1: {} },
    ];
    const managedFields = [before[0]!, { manager: 'kubelet', time, fieldsV1: { 'f:status': {} } }];
    const object = { metadata: { ...metadata, managedFields } };
    expect(changeOf({ type: 'MODIFIED', object }, { type, now: 0, before }).manager).toBe('kubelet');
  });

  it('tells of a creation once', () => {
    const object = { metadata };
    const live = changeOf({ type: 'ADDED', object }, { type, now: Date.UTC(2026, 0, 1) });
    const merged = mergeChanges([live], changesOf(metadata, type), 10);
    expect(merged.map(({ action }) => action)).toEqual(['changed', 'created']);
  });

  it.each([
    ['ADDED', 'created', 'kubelet'],
    ['MODIFIED', 'changed', 'kubelet'],
    ['DELETED', 'deleted', ''],
  ] as const)('reads a %s event', (event, action, manager) => {
    expect(changeOf({ type: event, object: { metadata } }, { type, now: 60_000 })).toMatchObject({
      action,
      manager,
      time: 60_000,
    });
  });

  it('keeps the newest changes, each once', () => {
    const known = changesOf(metadata, type);
    const event = changeOf({ type: 'MODIFIED', object: { metadata } }, { type, now: Date.UTC(2026, 0, 1, 0, 9) });
    const merged = mergeChanges(mergeChanges(known, [event, ...known], 3), [event], 2);
    expect(merged.map(({ time }) => new Date(time).getUTCMinutes())).toEqual([9, 5]);
  });
});
