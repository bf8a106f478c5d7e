import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ResourceType, resourcePath } from '../api/resource-type.ts';
import { Icon } from '../shared/icon.tsx';
import { query, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { BlameTab } from './blame-tab.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditTab } from './edit-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { ObjectSource } from './object-source.ts';
import { Overview } from './overview.tsx';
import { RelationsTab } from './relations-tab.tsx';

const tabs = {
  overview: 'Overview',
  yaml: 'YAML',
  relations: 'Relations',
  events: 'Events',
  blame: 'Who set what',
  history: 'History',
} as const;

type Tab = keyof typeof tabs;

export interface ObjectPageProps {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
}

export function ObjectPage({ type, namespace, name }: ObjectPageProps) {
  const source = useMemo(() => new ObjectSource(), []);
  const isDeleting = useSignal(false);
  useEffect(() => {
    const controller = new AbortController();
    source.run(type, { namespace, name }, controller.signal);
    return () => controller.abort();
  }, [source]);
  const object = source.object.value;
  const tab: Tab = query.value.tab && Object.hasOwn(tabs, query.value.tab) ? (query.value.tab as Tab) : 'overview';
  const address = resourcePath(type, { namespace, name });
  return (
    <div class={`page object-page ${tab === 'yaml' ? 'page-full' : ''}`}>
      <nav class="breadcrumbs" aria-label="Place">
        <a href={routes.table(type, { ns: namespace })}>{type.kind}</a>
        {namespace && (
          <>
            <Icon name="chevron" />
            <a href={routes.page('timeline', { ns: namespace })}>{namespace}</a>
          </>
        )}
      </nav>
      <header class="page-header">
        <h1>{name}</h1>
        {object?.metadata.deletionTimestamp && !source.isGone.value && <span class="badge badge-busy">deleting</span>}
        {source.isGone.value && <span class="badge badge-bad">deleted</span>}
        <span class="spacer" />
        <span class={`state state-${source.state.value}`} role="status" data-state={source.state.value}>
          {source.isGone.value ? 'gone' : source.state.value}
        </span>
        {object && type.verbs.includes('delete') && !source.isGone.value && (
          <button
            type="button"
            class="button danger"
            onClick={() => {
              isDeleting.value = true;
            }}
          >
            <Icon name="trash" />
            Delete
          </button>
        )}
      </header>
      <div class="tabs" role="tablist" aria-label="Views">
        {(Object.keys(tabs) as Tab[]).map((key) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={tab === key}
            aria-controls="tab-panel"
            tabIndex={tab === key ? 0 : -1}
            onClick={() => setQuery({ tab: key === 'overview' ? undefined : key })}
            onKeyDown={(event) => moveTab(event, key)}
          >
            {tabs[key]}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'history' ? (
          <HistoryTab live={source.isGone.value ? undefined : object} type={type} path={address} />
        ) : object ? (
          <>
            {tab === 'overview' && <Overview object={object} type={type} />}
            {tab === 'yaml' && <EditTab object={object} type={type} path={address} isGone={source.isGone.value} />}
            {tab === 'relations' && <RelationsTab object={object} type={type} />}
            {tab === 'events' && <EventsTab object={object} />}
            {tab === 'blame' && <BlameTab object={object} />}
          </>
        ) : (
          <Absent source={source} what={`${type.kind} ${name}`} />
        )}
      </div>
      {object && isDeleting.value && (
        <DeleteDialog
          object={object}
          path={address}
          onClose={() => {
            isDeleting.value = false;
          }}
        />
      )}
    </div>
  );
}

function Absent({ source, what }: { source: ObjectSource; what: string }) {
  if (source.error.value) {
    return (
      <p class="empty" role="alert">
        {source.error.value.message}
      </p>
    );
  }
  if (source.isMissing.value) return <p class="empty">There is no {what}. If it is created, it appears here.</p>;
  return <p class="loading">Loading…</p>;
}

function moveTab(event: KeyboardEvent, key: Tab): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const keys = Object.keys(tabs) as Tab[];
  const next = keys[(keys.indexOf(key) + step + keys.length) % keys.length]!;
  setQuery({ tab: next === 'overview' ? undefined : next });
  document.getElementById(`tab-${next}`)?.focus();
}
