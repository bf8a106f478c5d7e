import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApiObject } from '../api/api-object.ts';
import { follow, type WatchEvent } from '../api/follow.ts';
import { type ResourceType, resourcePath, typeKey } from '../api/resource-type.ts';
import { formatDuration } from '../shared/age.ts';
import { now } from '../shared/now.ts';
import { listedTypes } from '../state/catalog.ts';
import { namespace } from '../state/namespaces.ts';
import { query, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { type Change, changeOf, changesOf, type ManagedFields, managersOf, mergeChanges } from './timeline-model.ts';

const maxChanges = 1000;
const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
/** These change all the time and show no intent of a user. */
const noise = new Set([
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'endpointslices.discovery.k8s.io',
  'endpoints',
]);

/** Shows live which manager changed which object in a namespace. */
export function TimelinePage() {
  const ns = namespace.value;
  const changes = useSignal<readonly Change[]>([]);
  const denied = useSignal<readonly string[]>([]);
  const text = query.value.q ?? '';
  const types = listedTypes.value.filter(
    (type) => (type.namespaced || ns === undefined) && type.verbs.includes('watch') && !noise.has(typeKey(type)),
  );
  const names = types.map(typeKey).join();
  useEffect(() => {
    const controller = new AbortController();
    changes.value = [];
    denied.value = [];
    const pending: Change[] = [];
    let isScheduled = false;
    const add = (more: readonly Change[]) => {
      pending.push(...more);
      // If too many changes arrive between two frames, only the newest are shown.
      if (pending.length > maxChanges) pending.splice(0, pending.length - maxChanges);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => {
        isScheduled = false;
        changes.value = mergeChanges(changes.value, pending.splice(0), maxChanges);
      }, 150);
    };
    for (const type of types)
      followType(type, { ns, add, deny: () => (denied.value = [...denied.value, type.kind]) }, controller.signal);
    return () => controller.abort();
  }, [ns, names]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = changes.value.filter(({ type, name, manager, action, namespace: own }) =>
    words.every((word) => `${type.kind} ${name} ${manager} ${action} ${own ?? ''}`.toLowerCase().includes(word)),
  );
  return (
    <div class="page">
      <header class="page-header">
        <h1>Timeline</h1>
        <span class="muted">{ns ?? 'all namespaces'}</span>
        <span class="spacer" />
        <input
          type="search"
          class="filter"
          data-search
          aria-label="Search"
          placeholder="Search  ( / )"
          value={text}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
      </header>
      {denied.value.length > 0 && <p class="note">You may not watch: {denied.value.join(', ')}.</p>}
      {shown.length === 0 ? (
        <p class="empty">Nothing has happened here, as far as the objects tell.</p>
      ) : (
        <ol class="timeline" aria-label="Changes">
          {byMinute(shown).map(([minute, entries]) => (
            <li key={minute}>
              <h2 title={new Date(minute).toISOString()}>{formatDuration(now.value - entries[0]!.time)} ago</h2>
              <ul>
                {entries.map((entry) => (
                  <ChangeRow key={entry.id} change={entry} hasNamespace={ns === undefined} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function followType(
  type: ResourceType,
  at: { ns: string | undefined; add: (changes: readonly Change[]) => void; deny: () => void },
  stop: AbortSignal,
): void {
  /** The managers of the most recently changed objects. */
  const known = new Map<string, readonly ManagedFields[]>();
  const keep = ({ metadata }: ApiObject) => {
    const uid = metadata.uid ?? '';
    known.delete(uid);
    known.set(uid, managersOf(metadata));
    if (known.size > maxChanges) known.delete(known.keys().next().value!);
  };
  const follower = {
    listing: () => undefined,
    page: ({ items = [] }: { readonly items?: readonly ApiObject[] }) => {
      items.forEach(keep);
      at.add(items.flatMap(({ metadata }) => changesOf(metadata, type)));
    },
    listed: () => undefined,
    events: (events: readonly WatchEvent<ApiObject>[]) =>
      at.add(
        events.map((event) => {
          const before = known.get(event.object.metadata.uid ?? '');
          keep(event.object);
          return changeOf(event, { type, now: Date.now(), before });
        }),
      ),
    state: (state: string) => {
      if (state === 'denied') at.deny();
    },
  };
  const path = resourcePath(type, { namespace: type.namespaced ? at.ns : undefined });
  void follow({ path, accept, pageSize: maxChanges, maxObjects: maxChanges }, follower, stop);
}

function byMinute(changes: readonly Change[]): [number, Change[]][] {
  return [...Map.groupBy(changes, ({ time }) => Math.floor(time / 60_000) * 60_000)];
}

const badges = { created: 'badge-good', changed: '', deleted: 'badge-bad' };

function ChangeRow({ change, hasNamespace }: { change: Change; hasNamespace: boolean }) {
  const { type, name, namespace: own, action, manager, subresource, time } = change;
  return (
    <li class="change">
      <time dateTime={new Date(time).toISOString()}>{new Date(time).toLocaleTimeString('en-GB')}</time>
      <span class={`badge ${badges[action]}`}>{action}</span>
      <span class="change-object">
        <span class="muted">{type.kind}</span>{' '}
        <a href={routes.object(type, { namespace: own, name }, { tab: 'history' })}>{name}</a>
        {hasNamespace && own && <span class="muted"> in {own}</span>}
        {subresource && <span class="muted"> ({subresource})</span>}
      </span>
      <span class="change-manager">{manager}</span>
    </li>
  );
}
