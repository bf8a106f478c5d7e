import { type Signal, signal } from '@preact/signals';
import type { ApiObject } from '../api/api-object.ts';
import { follow, type WatchEvent } from '../api/follow.ts';

const maxObjects = 5000;

export interface LiveList<T> {
  readonly items: Signal<readonly T[]>;
  readonly isListed: Signal<boolean>;
  readonly problem: Signal<string>;
}

/** Follows a short list of whole objects, in the order of their names. */
export function followList<T extends ApiObject>(path: string, stop: AbortSignal): LiveList<T> {
  const items = signal<readonly T[]>([]);
  const isListed = signal(false);
  const problem = signal('');
  let known = new Map<string, T>();
  let listed = new Set<string>();
  const keyOf = ({ metadata }: T) => `${metadata.namespace ?? ''}/${metadata.name}`;
  const show = () => {
    items.value = [...known.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  };
  const put = (item: T) => {
    listed.add(keyOf(item));
    known.set(keyOf(item), item);
  };
  const follower = {
    listing: () => {
      listed = new Set();
    },
    page: ({ items: more = [] }: { readonly items?: readonly T[] }) => {
      for (const item of more) if (!listed.has(keyOf(item))) put(item);
      show();
    },
    listed: () => {
      known = new Map([...known].filter(([key]) => listed.has(key)));
      isListed.value = true;
      show();
    },
    events: (events: readonly WatchEvent<T>[]) => {
      for (const { type, object } of events) {
        put(object);
        if (type === 'DELETED') known.delete(keyOf(object));
      }
      show();
    },
    state: (state: string, error?: Error) => {
      problem.value = state === 'denied' ? (error?.message ?? 'denied') : '';
    },
  };
  void follow({ path, maxObjects }, follower, stop);
  return { items, isListed, problem };
}
