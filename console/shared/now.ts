import { signal } from '@preact/signals';

/** The time, in steps of a second, for ages that grow on the page. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1000);
}
