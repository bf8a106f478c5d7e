import { Icon } from '../shared/icon.tsx';
import { setQuery } from '../state/router.ts';
import { offeredColumns, type ShownColumn } from './table-columns.ts';
import type { Column } from './table-model.ts';

export function ColumnChooser(props: {
  columns: readonly Column[];
  hasNamespaces: boolean;
  shown: readonly ShownColumn[];
}) {
  const { columns, hasNamespaces, shown } = props;
  const isShown = (name: string) => shown.some((column) => column.name === name);
  const offered = offeredColumns(columns, hasNamespaces);
  const toggle = (name: string) => {
    const chosen = offered.filter((column) => (column.name === name) !== isShown(column.name));
    setQuery({ cols: chosen.map((column) => column.name).join(',') }, { replace: true });
  };
  return (
    <details class="menu">
      <summary class="button">
        <Icon name="columns" />
        Columns
      </summary>
      <fieldset class="menu-body">
        <legend class="visually-hidden">Columns</legend>
        {offered.map(({ name, index, description }) => (
          <label key={name} class="choice" title={description}>
            <input type="checkbox" checked={isShown(name)} disabled={index === 0} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
        <button type="button" class="button" onClick={() => setQuery({ cols: undefined }, { replace: true })}>
          Default columns
        </button>
      </fieldset>
    </details>
  );
}
