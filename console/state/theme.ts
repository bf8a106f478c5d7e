import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const key = 'keelson-console-theme';

function stored(): Theme {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

export const theme = signal<Theme>('auto');

/** Without a choice, the theme is that of the system. */
export function startTheme(): void {
  theme.value = stored();
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    localStorage.setItem(key, theme.value);
  });
}

export function isDark(): boolean {
  return theme.value === 'dark' || (theme.value === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
}

export function switchTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
}
