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

  it.each([
    ['ADDED', 'created', 'kubelet'],
    ['MODIFIED', 'changed', 'kubelet'],
    ['DELETED', 'deleted', ''],
  ] as const)('reads a %s event', (event, action, manager) => {
    expect(changeOf({ type: event, object: { metadata } }, type, 60_000)).toMatchObject({
      action,
      manager,
      time: 60_000,
    });
  });

  it('keeps the newest changes, each once', () => {
    const known = changesOf(metadata, type);
    const event = changeOf({ type: 'MODIFIED', object: { metadata } }, type, Date.UTC(2026, 0, 1, 0, 9));
    const merged = mergeChanges(mergeChanges(known, [event, ...known], 3), [event], 2);
    expect(merged.map(({ time }) => new Date(time).getUTCMinutes())).toEqual([9, 5]);
  });
});
