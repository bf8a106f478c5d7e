import { computed, signal } from '@preact/signals';

const base = '/console';

/** The location of the page: the segments of its path, and its query. The address bar contains all of it. */
export interface Route {
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function parseRoute(pathname: string, search: string): Route {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  return {
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decode),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** A segment that cannot be decoded is used unchanged. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** Returns the URL of a route. Empty values of the query are omitted. */
export function hrefOf(segments: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `${base}/${segments.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

const isBrowser = typeof location !== 'undefined';
export const route = signal<Route>(
  isBrowser ? parseRoute(location.pathname, location.search) : { segments: [], query: {} },
);
export const query = computed(() => route.value.query);

function read(): void {
  route.value = parseRoute(location.pathname, location.search);
}

export function navigate(href: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  read();
}

/** Changes values of the query and keeps the others. Undefined removes a value. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, options?: { replace?: boolean }): void {
  navigate(hrefOf(route.value.segments, { ...route.value.query, ...changes }), options);
}

/** Follows links within the console without loading the page again. */
export function startRouter(): void {
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.hasAttribute('download')) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
    if (link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}
