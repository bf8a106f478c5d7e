import { useEffect } from 'preact/hooks';
import { namespace, namespaces, rememberNamespace } from '../state/namespaces.ts';
import { route, setQuery } from '../state/router.ts';

/** A namespace can also be typed, for those who may not list them. */
export function NamespaceChooser() {
  const current = namespace.value;
  useEffect(() => rememberNamespace(current), [current]);
  const choose = (value: string) => setQuery({ ns: value === '' ? undefined : value });
  if (namespaces.value.length === 0) {
    return (
      <input
        class="namespace-chooser"
        aria-label="Namespace"
        placeholder="All namespaces"
        value={current ?? ''}
        onChange={(event) => choose(event.currentTarget.value.trim())}
      />
    );
  }
  const known = current === undefined || namespaces.value.includes(current);
  return (
    <select
      class="namespace-chooser"
      aria-label="Namespace"
      value={current ?? ''}
      disabled={route.value.segments[0] === 'objects'}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">All namespaces</option>
      {!known && <option value={current}>{current}</option>}
      {namespaces.value.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
