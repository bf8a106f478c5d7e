import { expect, it } from 'vitest';
import type { AuditEvent } from './audit-event.ts';
import { RecentEvents } from './recent-events.ts';

const event = (auditID: string, others: Partial<AuditEvent> = {}): AuditEvent => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID,
  stage: 'ResponseComplete',
  requestURI: '/api',
  verb: 'get',
  user: { username: 'ann' },
  requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
  stageTimestamp: '2026-01-01T00:00:00.000000Z',
  ...others,
});

it('passes events on whole, and keeps them without bodies', () => {
  const written: AuditEvent[] = [];
  const recent = new RecentEvents({ write: (each) => written.push(each) > 1 });
  const first = event('a', { requestObject: { data: 'x' } });
  expect([recent.write(first), recent.write(event('b'))]).toEqual([false, true]);
  expect(written[0]).toBe(first);
  expect(recent.last(2)).toEqual([
    { ...event('a'), annotations: { 'audit.k8s.io/truncated': 'true' }, requestObject: undefined },
    event('b'),
  ]);
  expect(recent.last(1)).toEqual([event('b')]);
});

it.each([
  ['in number', 2000, '/api', 500],
  ['in size', 300, `/${'x'.repeat(10_000)}`, 104],
])('is bounded %s', (_, count, requestURI, kept) => {
  const recent = new RecentEvents({ write: () => true });
  for (let index = 0; index < count; index++) recent.write(event(String(index), { requestURI }));
  const ids = recent.last(count).map(({ auditID }) => Number(auditID));
  expect(ids).toEqual(Array.from({ length: kept }, (__, index) => count - kept + index));
});
