import { isPaletteOpen } from './palette-state.ts';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input, select, textarea') || target.shadowRoot !== null);
}

/**
 * Handles the keys that work on every page: Ctrl-K or Cmd-K for the palette, `/` for the search of the page. Returns a
 * function that removes the handler.
 */
export function startShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
    } else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      const search = document.querySelector<HTMLElement>('[data-search]') ?? document.querySelector('.nav-search');
      event.preventDefault();
      (search as HTMLElement | null)?.focus();
    }
  };
  const closeMenus = (event: Event) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isEscape || (event.type === 'click' && !menu.contains(event.target as Node))) menu.open = false;
    }
  };
  document.addEventListener('keydown', onKeyDown);
  document.addEventListener('keydown', closeMenus);
  document.addEventListener('click', closeMenus);
  return () => {
    document.removeEventListener('keydown', onKeyDown);
    document.removeEventListener('keydown', closeMenus);
    document.removeEventListener('click', closeMenus);
  };
}
