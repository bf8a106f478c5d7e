import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { typeKey } from '../api/resource-type.ts';
import { Icon, type IconName } from '../shared/icon.tsx';
import { listedTypes } from '../state/catalog.ts';
import { namespace, namespaces } from '../state/namespaces.ts';
import { matchesType } from '../state/navigation-groups.ts';
import { navigate, route, setQuery } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { signOut } from '../state/session.ts';
import { switchTheme } from '../state/theme.ts';
import { pages } from './navigation.tsx';
import { isPaletteOpen } from './palette-state.ts';

interface Command {
  readonly title: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const maxShown = 40;

export function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const index = useSignal(0);
  const found = useComputed(() => (isPaletteOpen.value ? commands(text.value).slice(0, maxShown) : []));
  // Focuses the input immediately instead of after the next frame, so that it receives the next key.
  useEffect(
    () =>
      effect(() => {
        if (isPaletteOpen.value) dialog.current?.showModal();
        else dialog.current?.close();
      }),
    [],
  );
  const close = () => {
    isPaletteOpen.value = false;
    text.value = '';
    index.value = 0;
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      index.value = (index.value + step + found.value.length) % Math.max(1, found.value.length);
      document.getElementById(`command-${index.value}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found.value[index.value]);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" closedby="any" onClose={close}>
      <input
        class="palette-input"
        role="combobox"
        aria-label="Go to a type, a page or a namespace"
        aria-expanded={true}
        aria-controls="palette-list"
        aria-activedescendant={found.value.length > 0 ? `command-${index.value}` : undefined}
        placeholder="Go to a type, a page or a namespace"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          index.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Commands" tabIndex={-1}>
        {found.value.map((command, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input.
          <div
            key={`${command.title}/${command.detail}`}
            id={`command-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === index.value}
            class="palette-item"
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.title}</span>
            <span class="muted">{command.detail}</span>
          </div>
        ))}
      </div>
      {found.value.length === 0 && <p class="muted palette-empty">Nothing is called that.</p>}
    </dialog>
  );
}

function commands(text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ title, detail }: Command) =>
    words.every((word) => `${title} ${detail}`.toLowerCase().includes(word));
  const ns = namespace.value;
  const types = listedTypes.value
    .filter((type) => matchesType(type, text))
    .sort((a, b) => rank(a, words[0]) - rank(b, words[0]));
  return [
    ...types.map((type) => ({
      title: type.kind,
      detail: typeKey(type),
      icon: 'chevron' as const,
      run: () => navigate(routes.table(type, { ns: type.namespaced ? ns : undefined })),
    })),
    ...[
      ...pages.map(({ name, title, icon }) => ({
        title,
        detail: 'page',
        icon,
        run: () => navigate(routes.page(name, { ns })),
      })),
      {
        title: 'Create an object',
        detail: 'from YAML',
        icon: 'plus',
        run: () => navigate(routes.create(undefined, ns)),
      },
      { title: 'Switch the theme', detail: 'dark or light', icon: 'moon', run: switchTheme },
      { title: 'Sign out', detail: '', icon: 'user', run: signOut },
      ...namespaces.value.map((name) => ({
        title: name,
        detail: 'namespace',
        icon: 'filter',
        run: () => enterNamespace(name),
      })),
    ].filter((command): command is Command => matches(command as Command)),
  ];
}

/** Types whose name equals the typed text come before those that contain it. */
function rank(
  { resource, kind, shortNames }: { resource: string; kind: string; shortNames: readonly string[] },
  word = '',
) {
  if (shortNames.includes(word) || resource === word || kind.toLowerCase() === word) return 0;
  return resource.startsWith(word) ? 1 : 2;
}

function enterNamespace(name: string): void {
  if (route.value.segments[0] === 'resources') setQuery({ ns: name });
  else navigate(routes.page('timeline', { ns: name }));
}
