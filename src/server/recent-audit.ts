import type { AuditEvent } from '../audit/index.ts';
import type { PathHandler } from '../http/api-route.ts';
import { auditPath, documentRoute } from '../http/document-route.ts';
import { badRequest } from '../meta/status-error.ts';
import type { ServerAudit } from './server-audit.ts';

const defaultLimit = 100;
const maxLimit = 500;

/** Serves the last audit events of all threads. Without auditing, there is nothing to serve. */
export function recentAudit(
  { recent }: Pick<ServerAudit, 'recent'>,
  others: (limit: number) => Promise<readonly (readonly AuditEvent[])[]>,
): PathHandler[] {
  if (recent === undefined) return [];
  const read = async (query: URLSearchParams): Promise<object> => {
    const limit = limitOf(query.get('limit'));
    const events = [recent(limit), ...(await others(limit))].flat();
    events.sort((a, b) => (a.stageTimestamp < b.stageTimestamp ? -1 : a.stageTimestamp > b.stageTimestamp ? 1 : 0));
    return { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: events.slice(-limit) };
  };
  return [documentRoute(auditPath, read)];
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit === 0) throw badRequest(`limit: must be a number from 1 to ${maxLimit}`);
  return Math.min(limit, maxLimit);
}
