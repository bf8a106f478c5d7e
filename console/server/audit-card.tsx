import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { requestJson } from '../api/request.ts';
import { formatDuration } from '../shared/age.ts';
import { now } from '../shared/now.ts';
import { repeat } from './repeat.ts';

/** An event of the audit log, with the fields that are shown. */
interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username?: string };
  readonly impersonatedUser?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly stageTimestamp: string;
}

const path = '/keelson/audit?limit=50';

/** Shows the last events of the audit log if the server keeps one. */
export function AuditCard() {
  const events = useSignal<readonly AuditEvent[]>([]);
  const problem = useSignal('');
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    repeat(async () => {
      try {
        const { items } = await requestJson<{ readonly items: readonly AuditEvent[] }>(path, { signal });
        events.value = items.toReversed();
        problem.value = '';
      } catch (error) {
        if (signal.aborted) return;
        const { code, message } = error as ApiError;
        problem.value = code === 404 ? 'Auditing is off: the server has no audit policy and log.' : message;
        // Neither of these two responses changes while the server runs.
        if (code === 404 || code === 403) controller.abort();
      }
    }, signal);
    return () => controller.abort();
  }, []);
  return (
    <section class="card" aria-label="Audit events">
      <h2>Audit events</h2>
      {problem.value && <p class="muted">{problem.value}</p>}
      {events.value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keys.
        <div class="audit-events" tabIndex={0}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Ago</th>
                <th scope="col">User</th>
                <th scope="col">Request</th>
                <th scope="col">Answer</th>
              </tr>
            </thead>
            <tbody>
              {events.value.map((event) => (
                <EventRow key={`${event.auditID}/${event.stage}`} event={event} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  const { user, impersonatedUser, verb, requestURI, responseStatus, stage, stageTimestamp } = event;
  const code = responseStatus?.code;
  return (
    <tr>
      <td title={stageTimestamp}>{formatDuration(Math.max(0, now.value - Date.parse(stageTimestamp)))}</td>
      <td class="wrap">
        {user.username}
        {impersonatedUser && <span class="muted"> as {impersonatedUser.username}</span>}
      </td>
      <td class="wrap">
        {verb} <code>{requestURI}</code>
      </td>
      <td class={code !== undefined && code >= 400 ? 'tone-bad' : ''}>{code ?? stage}</td>
    </tr>
  );
}
