import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { route } from '../state/router.ts';
import { routes } from '../state/routes.ts';
import { session, signOut } from '../state/session.ts';
import { isDark, switchTheme, theme } from '../state/theme.ts';
import { CommandPalette } from './command-palette.tsx';
import { CurrentPage } from './current-page.tsx';
import { NamespaceChooser } from './namespace-chooser.tsx';
import { Navigation } from './navigation.tsx';
import { isPaletteOpen } from './palette-state.ts';
import { startShortcuts } from './shortcuts.ts';

export function Workspace() {
  const isNavigationOpen = useSignal(false);
  useEffect(() => startShortcuts(), []);
  // On a phone, following a link closes the navigation, even if the link leads to the current page.
  useEffect(() => {
    isNavigationOpen.value = false;
  }, [route.value]);
  void theme.value;
  const dark = isDark();
  return (
    <div class={`workspace ${isNavigationOpen.value ? 'navigation-open' : ''}`}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top-bar">
        <button
          type="button"
          class="button-icon menu-button"
          aria-label="Navigation"
          aria-expanded={isNavigationOpen.value}
          onClick={() => {
            isNavigationOpen.value = !isNavigationOpen.value;
          }}
        >
          <Icon name="menu" />
        </button>
        <a class="brand" href={routes.home()}>
          <img src="/console/icon.svg" alt="" width="22" height="22" />
          <span>Keelson</span>
        </a>
        <NamespaceChooser />
        <button
          type="button"
          class="palette-button"
          onClick={() => {
            isPaletteOpen.value = true;
          }}
        >
          <Icon name="search" />
          <span>Go to…</span>
          <kbd>Ctrl K</kbd>
        </button>
        <span class="spacer" />
        <button
          type="button"
          class="button-icon"
          aria-label={dark ? 'Light theme' : 'Dark theme'}
          onClick={switchTheme}
        >
          <Icon name={dark ? 'sun' : 'moon'} />
        </button>
        <details class="menu">
          <summary class="button-icon" aria-label="User">
            <Icon name="user" />
          </summary>
          <div class="menu-body">
            <p class="menu-title">{session.value?.user?.username}</p>
            <ul class="chips">
              {session.value?.user?.groups?.map((group) => (
                <li key={group} class="chip">
                  {group}
                </li>
              ))}
            </ul>
            {session.value?.method !== 'credentials' && (
              <button type="button" class="button" onClick={signOut}>
                Sign out
              </button>
            )}
          </div>
        </details>
      </header>
      <aside class="side-bar">
        <Navigation />
      </aside>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keys. */}
      <main id="content" class="content" tabIndex={0}>
        <CurrentPage />
      </main>
      <CommandPalette />
    </div>
  );
}
