import { encodeJson } from '../codec/json/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import type { AuditEvent } from './audit-event.ts';

export type LogFormat = 'json' | 'legacy';

/** Formats an event as a line, including the line feed. */
export function eventLine(event: AuditEvent, format: LogFormat): Buffer {
  return Buffer.from(`${format === 'json' ? jsonLine(event) : legacyLine(event)}\n`);
}

function jsonLine(event: AuditEvent): string {
  try {
    return encodeJson(event);
  } catch (error) {
    // The body is nested too deeply to be encoded.
    if (!(error instanceof DecodeError)) throw error;
    return encodeJson(withoutBodies(event));
  }
}

/** Removes the bodies and marks the event as truncated. */
export function withoutBodies(event: AuditEvent): AuditEvent {
  const annotations = { ...event.annotations, 'audit.k8s.io/truncated': 'true' };
  return { ...event, requestObject: undefined, responseObject: undefined, annotations };
}

/** The one-line text format of kube-apiserver, which contains a part of the event. */
function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser: as, sourceIPs, objectRef, responseStatus } = event;
  const fields = {
    id: event.auditID,
    stage: event.stage,
    ip: sourceIPs?.[0] ?? '<unknown>',
    method: event.verb,
    user: user.username ?? '<none>',
    groups: user.username === undefined ? '<none>' : groupList(user.groups, '<none>'),
    as: as === undefined ? '<self>' : (as.username ?? ''),
    asgroups: groupList(as?.groups, '<lookup>'),
    'user-agent': event.userAgent ?? '',
    namespace: objectRef?.namespace ?? '<none>',
    uri: event.requestURI,
    response: responseStatus === undefined ? '<deferred>' : String(responseStatus.code),
  };
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${goQuote(value)}`);
  return `${event.requestReceivedTimestamp.replace(/\.?0*Z$/, 'Z')} AUDIT: ${shown.join(' ')}`;
}

function groupList(groups: readonly string[] | undefined, none: string): string {
  return groups === undefined || groups.length === 0 ? none : groups.map(goQuote).join(',');
}
