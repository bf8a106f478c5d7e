import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type ResourceType, resourcePath, typeKey } from '../api/resource-type.ts';
import { Icon } from '../shared/icon.tsx';
import { namespace } from '../state/namespaces.ts';
import { query, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { shownColumns } from './table-columns.ts';
import { maxRows, TableSource } from './table-source.ts';
import { TableView } from './table-view.tsx';

export function TablePage({ type }: { type: ResourceType }) {
  const { labels, fields, q = '', sort: sortBy, cols } = query.value;
  const ns = type.namespaced ? namespace.value : undefined;
  const source = useMemo(() => new TableSource(), [labels, fields, ns, type]);
  // Runs before the paint, so that no frame passes without a request.
  useLayoutEffect(() => {
    const controller = new AbortController();
    source.run(
      {
        path: resourcePath(type, { namespace: ns }),
        labelSelector: labels,
        fieldSelector: fields,
        isWatchable: type.verbs.includes('watch'),
      },
      controller.signal,
    );
    return () => controller.abort();
  }, [source]);
  const sort = sortBy ? { column: sortBy.replace(/^-/, ''), isDescending: sortBy.startsWith('-') } : undefined;
  const isShown = useSignal(0);
  useMemo(() => {
    source.model.show({ sort, text: q });
    isShown.value++;
  }, [source, sortBy, q]);
  void source.changes.value;
  const hasNamespaces = type.namespaced && ns === undefined;
  const { model } = source;
  // Memoized, because rows are rendered again when their properties differ.
  const columns = useMemo(
    () => shownColumns(model.columns, { hasNamespaces, chosen: cols }),
    [model.columns, hasNamespaces, cols],
  );
  return (
    <div class="table-page">
      <header class="page-header">
        <h1>{type.kind}</h1>
        <span class="muted type-name">
          {typeKey(type)} {type.version}
        </span>
        <span class="spacer" />
        <TableStatus source={source} />
        {type.verbs.includes('create') && (
          <a class="button primary" href={routes.create(type, ns)}>
            <Icon name="plus" />
            Create
          </a>
        )}
      </header>
      <search class="filters">
        <Filter name="q" label="Search" placeholder="Search  ( / )" isSearch />
        <Filter name="labels" label="Labels" placeholder="Labels: app=web,tier!=db" />
        <Filter name="fields" label="Fields" placeholder="Fields: status.phase=Running" />
        <ColumnChooser columns={model.columns} hasNamespaces={hasNamespaces} shown={columns} />
      </search>
      {source.state.value === 'denied' ? (
        <div class="empty" role="alert">
          <Icon name="shield" />
          <p>{source.error.value?.message}</p>
          {type.namespaced && ns === undefined && source.error.value?.code === 403 && (
            <p class="muted">You may be allowed to see a single namespace: choose one above.</p>
          )}
        </div>
      ) : (
        <TableView type={type} source={source} columns={columns} sort={sort} />
      )}
    </div>
  );
}

/** A field of the filter is applied on blur or on Enter, a search on each input. */
function Filter(props: { name: string; label: string; placeholder: string; isSearch?: boolean }) {
  const { name, label, placeholder, isSearch = false } = props;
  const value = query.value[name] ?? '';
  const set = (text: string) => text !== value && setQuery({ [name]: text }, { replace: isSearch });
  return (
    <input
      type="search"
      class="filter"
      aria-label={label}
      placeholder={placeholder}
      spellcheck={false}
      {...(isSearch && { 'data-search': true })}
      value={value}
      onInput={(event) => (isSearch || event.currentTarget.value === '') && set(event.currentTarget.value)}
      onChange={(event) => set(event.currentTarget.value.trim())}
    />
  );
}

function TableStatus({ source }: { source: TableSource }) {
  void source.changes.value;
  const { model } = source;
  const all = model.size + model.remaining;
  const count = (number: number) => number.toLocaleString('en');
  const rows = model.view.length === all ? count(all) : `${count(model.view.length)} of ${count(all)}`;
  const words = { listing: 'loading', live: 'live', reconnecting: 'reconnecting', denied: 'denied' };
  const state = source.state.value === 'live' && !source.isComplete.value ? 'listing' : source.state.value;
  return (
    <p class="table-status" aria-live="off">
      <span class="table-count">{rows}</span>
      {model.size >= maxRows && <span class="muted">first {count(maxRows)} only: use filters</span>}
      <span class={`state state-${state}`} role="status" data-state={state}>
        {words[state]}
      </span>
    </p>
  );
}
