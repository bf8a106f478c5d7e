import { computed, signal } from '@preact/signals';
import { follow, type WatchEvent } from '../api/follow.ts';
import { query, route } from './router.ts';
import { parseNamespace } from './routes.ts';

interface Named {
  readonly metadata: { readonly name: string };
}

const names = signal<ReadonlySet<string>>(new Set());
const remembered = 'keelson-console-namespace';

export const namespaces = computed(() => [...names.value].sort());

/** The namespace of the page: that of its object, or the one that the user chose. Undefined means all namespaces. */
export const namespace = computed(() => {
  const [page, , , , namespaceSegment] = route.value.segments;
  return page === 'objects' ? parseNamespace(namespaceSegment) : query.value.ns;
});

export function rememberNamespace(name: string | undefined): void {
  localStorage.setItem(remembered, name ?? '');
}

export function rememberedNamespace(): string | undefined {
  return localStorage.getItem(remembered) || undefined;
}

/** Follows the names of all namespaces, if the user may list them. */
export function startNamespaces(stop: AbortSignal): void {
  let seen = new Set<string>();
  const follower = {
    listing() {
      seen = new Set();
    },
    page({ items }: { readonly items?: readonly Named[] }) {
      for (const { metadata } of items ?? []) seen.add(metadata.name);
      names.value = new Set([...names.value, ...seen]);
    },
    listed() {
      names.value = new Set(seen);
    },
    events(events: readonly WatchEvent<Named>[]) {
      for (const { type, object } of events) {
        if (type === 'DELETED') seen.delete(object.metadata.name);
        else seen.add(object.metadata.name);
      }
      names.value = new Set(seen);
    },
    state: () => undefined,
  };
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
  void follow({ path: '/api/v1/namespaces', accept, maxObjects: 20_000 }, follower, stop);
}
