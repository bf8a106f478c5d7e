import { describe, expect, it } from 'vitest';
import type { AuditEvent } from './audit-event.ts';
import { eventLine } from './event-line.ts';

const event: AuditEvent = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID: 'id-1',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/pods?a=1&b=<2>',
  verb: 'list',
  user: { username: 'alice', groups: ['g', 'h'] },
  sourceIPs: ['10.0.0.1', '10.0.0.2'],
  userAgent: 'agent "1"',
  objectRef: { resource: 'pods', namespace: 'n' },
  responseStatus: { metadata: {}, code: 200 },
  requestReceivedTimestamp: '2024-01-02T03:04:05.120000Z',
  stageTimestamp: '2024-01-02T03:04:06.000000Z',
};

describe('eventLine', () => {
  it('is one JSON document in the encoding of Go', () => {
    const line = eventLine({ ...event, requestObject: { a: 'x\ny' } }, 'json').toString();
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(line).toContain('"requestURI":"/api/v1/pods?a=1\\u0026b=\\u003c2\\u003e"');
    expect(JSON.parse(line)).toEqual({ ...event, requestObject: { a: 'x\ny' } });
  });

  it('omits bodies that cannot be encoded', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 20_000; depth++) deep = [deep];
    const line = JSON.parse(eventLine({ ...event, responseObject: deep }, 'json').toString());
    expect(line).toEqual({ ...event, annotations: { 'audit.k8s.io/truncated': 'true' } });
  });

  it.each<[string, AuditEvent, string]>([
    [
      'all there',
      event,
      '2024-01-02T03:04:05.12Z AUDIT: id="id-1" stage="ResponseComplete" ip="10.0.0.1" method="list" user="alice" groups="\\"g\\",\\"h\\"" as="<self>" asgroups="<lookup>" user-agent="agent \\"1\\"" namespace="n" uri="/api/v1/pods?a=1&b=<2>" response="200"\n',
    ],
    [
      'little there',
      {
        ...event,
        user: {},
        impersonatedUser: { username: 'bob', groups: ['x'] },
        sourceIPs: undefined,
        objectRef: undefined,
        responseStatus: undefined,
        requestReceivedTimestamp: '2024-01-02T03:04:00.000000Z',
      },
      '2024-01-02T03:04:00Z AUDIT: id="id-1" stage="ResponseComplete" ip="<unknown>" method="list" user="<none>" groups="<none>" as="bob" asgroups="\\"x\\"" user-agent="agent \\"1\\"" namespace="<none>" uri="/api/v1/pods?a=1&b=<2>" response="<deferred>"\n',
    ],
  ])('is text in the old format: %s', (_name, given, expected) => {
    expect(eventLine(given, 'legacy').toString()).toBe(expected);
  });
});
