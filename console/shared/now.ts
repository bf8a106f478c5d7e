import { signal } from '@preact/signals';

/** The current time, updated every second, for ages that grow on the page. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1000);
}
