import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiObject } from '../api/api-object.ts';
import { type FollowState, follow, type WatchEvent } from '../api/follow.ts';
import { formatDuration } from '../shared/age.ts';
import { now } from '../shared/now.ts';

interface CoreEvent extends ApiObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
}

const maxEvents = 500;

/** The events about an object, newest first. */
export function EventsTab({ object }: { object: ApiObject }) {
  const events = useSignal<ReadonlyMap<string, CoreEvent>>(new Map());
  const state = useSignal<FollowState>('listing');
  const problem = useSignal('');
  const { uid = '', namespace } = object.metadata;
  useEffect(() => {
    const controller = new AbortController();
    const keep = (entries: Iterable<[string, CoreEvent]>) => {
      events.value = new Map([...entries].slice(-maxEvents));
    };
    const follower = {
      listing: () => keep([]),
      page: ({ items = [] }: { readonly items?: readonly CoreEvent[] }) =>
        keep([...events.value, ...items.map((event) => [event.metadata.name, event] as [string, CoreEvent])]),
      listed: () => undefined,
      events: (changes: readonly WatchEvent<CoreEvent>[]) => {
        const next = new Map(events.value);
        for (const { type, object: event } of changes) {
          next.delete(event.metadata.name);
          if (type !== 'DELETED') next.set(event.metadata.name, event);
        }
        keep(next);
      },
      state: (value: FollowState, error?: Error) => {
        state.value = value;
        problem.value = error?.message ?? '';
      },
    };
    const path = namespace ? `/api/v1/namespaces/${encodeURIComponent(namespace)}/events` : '/api/v1/events';
    const query = { fieldSelector: `involvedObject.uid=${uid}` };
    void follow({ path, query, maxObjects: maxEvents }, follower, controller.signal);
    return () => controller.abort();
  }, [uid]);
  const shown = [...events.value.values()].sort((a, b) => timeOf(b) - timeOf(a));
  if (state.value === 'denied') return <p class="empty">{problem.value}</p>;
  if (shown.length === 0)
    return <p class="empty">{state.value === 'listing' ? 'Loading…' : 'No event is about it.'}</p>;
  return (
    <section class="card scroll-x">
      <table class="plain" aria-label="Events">
        <thead>
          <tr>
            <th scope="col">Last seen</th>
            <th scope="col">Type</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
            <th scope="col">From</th>
            <th scope="col">Count</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((event) => (
            <tr key={event.metadata.name}>
              <td>{formatDuration(now.value - timeOf(event))}</td>
              <td class={event.type === 'Warning' ? 'tone-busy' : ''}>{event.type}</td>
              <td>{event.reason}</td>
              <td class="wrap">{event.message}</td>
              <td>{event.reportingComponent || event.source?.component}</td>
              <td>{event.series?.count ?? event.count ?? 1}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function timeOf({ series, lastTimestamp, eventTime, metadata }: CoreEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
}
