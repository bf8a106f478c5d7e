import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { ResourceType } from '../api/resource-type.ts';
import { formatDuration } from '../shared/age.ts';
import { Icon } from '../shared/icon.tsx';
import { now } from '../shared/now.ts';
import { toneOf } from '../shared/tone.ts';
import { navigate, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { columnWidths, type ShownColumn, textOf } from './table-columns.ts';
import { isAge, type Row, type Sort } from './table-model.ts';
import type { TableSource } from './table-source.ts';
import { visibleRows } from './visible-rows.ts';

const rowHeight = 32;

export interface TableViewProps {
  readonly type: ResourceType;
  readonly source: TableSource;
  readonly columns: readonly ShownColumn[];
  readonly sort: Sort | undefined;
}

export function TableView({ type, source, columns, sort }: TableViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const place = useSignal({ top: 0, height: 800 });
  const selected = useSignal(0);
  void source.changes.value;
  const rows = source.model.view;
  useEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      place.value = { top: element.scrollTop, height: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const widths = useRef<{ key: string; values: number[] }>({ key: '', values: [] });
  const key = `${columns.map(({ name }) => name).join()}/${rows.length > 0}`;
  if (widths.current.key !== key) widths.current = { key, values: columnWidths(columns, rows) };
  const { first, end, before, after } = visibleRows({ count: rows.length, rowHeight, ...place.value });
  const current = Math.min(selected.value, Math.max(0, rows.length - 1));
  const select = (index: number) => {
    const element = scroller.current!;
    selected.value = Math.max(0, Math.min(rows.length - 1, index));
    const top = selected.value * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    // The header covers the first row of the scrolled area.
    else if (top + 2 * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + 2 * rowHeight - element.clientHeight;
    }
    requestAnimationFrame(() => element.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true }));
  };
  const onSelect = useCallback((index: number) => {
    selected.value = index;
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.floor(place.value.height / rowHeight) - 2;
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      select(current + step);
    } else if (event.key === 'Enter' && rows[current] && (event.target as Element).tagName === 'TR') {
      navigate(routes.object(type, rows[current]));
    }
  };
  return (
    <div class="table-scroller" ref={scroller}>
      <table
        class="rows"
        aria-label={type.kind}
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        style={{ minWidth: `${widths.current.values.reduce((sum, width) => sum + width, 4)}ch` }}
      >
        <colgroup>
          {columns.map(({ name }, index) => (
            <col key={name} style={{ width: `${widths.current.values[index]}ch` }} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column} sort={sort} />
            ))}
            <td aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr class="gap" style={{ height: `${before}px` }} />}
          {rows.slice(first, end).map((row, offset) => (
            <TableRow
              key={row.key}
              row={row}
              index={first + offset}
              isCurrent={first + offset === current}
              type={type}
              columns={columns}
              ages={source.model.columns}
              onSelect={onSelect}
            />
          ))}
          {after > 0 && <tr class="gap" style={{ height: `${after}px` }} />}
        </tbody>
      </table>
      {rows.length === 0 && source.state.value !== 'listing' && (
        <div class="empty">
          <p>{source.model.size > 0 ? 'No row has these words.' : `There is no ${type.kind} here.`}</p>
        </div>
      )}
    </div>
  );
}

function HeaderCell({ column, sort }: { column: ShownColumn; sort: Sort | undefined }) {
  const { name, description, isNumber } = column;
  const isSorted = sort?.column === name;
  const next = !isSorted ? name : sort.isDescending ? undefined : `-${name}`;
  const direction = !isSorted ? undefined : sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={isNumber ? 'number' : ''} aria-sort={direction}>
      <button type="button" title={description} onClick={() => setQuery({ sort: next }, { replace: true })}>
        {name}
        {isSorted && <Icon name={sort.isDescending ? 'down' : 'up'} />}
      </button>
    </th>
  );
}

interface TableRowProps {
  readonly row: Row;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly type: ResourceType;
  readonly columns: readonly ShownColumn[];
  readonly ages: TableSource['model']['columns'];
  readonly onSelect: (index: number) => void;
}

function TableRow({ row, index, isCurrent, type, columns, ages, onSelect }: TableRowProps) {
  return (
    <tr
      tabIndex={isCurrent ? 0 : -1}
      aria-rowindex={index + 2}
      class={row.isDeleting ? 'deleting' : ''}
      onFocus={() => onSelect(index)}
    >
      {columns.map((column) => {
        const text = textOf(row, column);
        if (column.index === 0) {
          return (
            <td key={column.name} class="name" title={text}>
              <a href={routes.object(type, row)} tabIndex={-1}>
                {row.name}
              </a>
              {row.isDeleting && <span class="badge badge-busy">deleting</span>}
            </td>
          );
        }
        if (isAge(ages[column.index]) && Number.isFinite(row.created)) {
          return (
            <td key={column.name} title={new Date(row.created).toISOString()}>
              {formatDuration(now.value - row.created)}
            </td>
          );
        }
        const tone = toneOf(text);
        return (
          <td key={column.name} class={`${column.isNumber ? 'number' : ''} ${tone ? `tone-${tone}` : ''}`} title={text}>
            {text}
          </td>
        );
      })}
      <td aria-hidden="true" />
    </tr>
  );
}
