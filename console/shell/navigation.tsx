import { useComputed, useSignal } from '@preact/signals';
import { typeKey } from '../api/resource-type.ts';
import { Icon, type IconName } from '../shared/icon.tsx';
import { listedTypes } from '../state/catalog.ts';
import { namespace } from '../state/namespaces.ts';
import { matchesType, navigationGroups } from '../state/navigation-groups.ts';
import { route } from '../state/router.ts';
import { routes } from '../state/routes.ts';

export const pages: readonly { name: string; title: string; icon: IconName }[] = [
  { name: 'timeline', title: 'Timeline', icon: 'clock' },
  { name: 'access', title: 'Access', icon: 'shield' },
  { name: 'types', title: 'Custom resources', icon: 'puzzle' },
  { name: 'admission', title: 'Admission', icon: 'gate' },
  { name: 'server', title: 'Server', icon: 'pulse' },
];

export function Navigation() {
  const text = useSignal('');
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const groups = useComputed(() => navigationGroups(listedTypes.value.filter((type) => matchesType(type, text.value))));
  const [first, groupSegment, , resource] = route.value.segments;
  const current = first === 'resources' || first === 'objects' ? `${resource}/${groupSegment}` : '';
  const toggle = (title: string) => {
    const next = new Set(closed.value);
    if (!next.delete(title)) next.add(title);
    closed.value = next;
  };
  return (
    <nav class="navigation" aria-label="Resources">
      <ul class="nav-pages">
        {pages.map(({ name, title, icon }) => (
          <li key={name}>
            <a href={routes.page(name, { ns: namespace.value })} aria-current={first === name ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
      <input
        type="search"
        class="nav-search"
        placeholder="Find a type"
        aria-label="Find a type"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      {groups.value.map(({ title, types }) => {
        const isOpen = text.value !== '' || !closed.value.has(title);
        return (
          <section key={title} class="nav-group">
            <h2>
              <button type="button" aria-expanded={isOpen} onClick={() => toggle(title)}>
                <Icon name="chevron" />
                <span>{title}</span>
              </button>
            </h2>
            {isOpen && (
              <ul>
                {types.map((type) => (
                  <li key={typeKey(type)}>
                    <a
                      href={routes.table(type, { ns: type.namespaced ? namespace.value : undefined })}
                      aria-current={current === `${type.resource}/${type.group || '-'}` ? 'page' : undefined}
                      title={typeKey(type)}
                    >
                      {type.kind}
                      {types.some((other) => other !== type && other.kind === type.kind) && (
                        <span class="muted nav-detail">{type.group || 'core'}</span>
                      )}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </section>
        );
      })}
      {text.value !== '' && groups.value.length === 0 && <p class="muted nav-empty">No type has this name.</p>}
    </nav>
  );
}
