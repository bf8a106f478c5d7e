import { computed, signal } from '@preact/signals';
import { discover } from '../api/discovery.ts';
import { follow } from '../api/follow.ts';
import { type ResourceType, type TypeName, typeKey } from '../api/resource-type.ts';
import { showError } from './toasts.ts';

/** All types of discovery in all versions. */
export const allTypes = signal<readonly ResourceType[]>([]);
export const isCatalogLoaded = signal(false);

/** Each type once, in the preferred version of its group, if it can be listed. */
export const listedTypes = computed(() => {
  const seen = new Set<string>();
  return allTypes.value.filter((type) => {
    if (!type.verbs.includes('list') || seen.has(typeKey(type))) return false;
    seen.add(typeKey(type));
    return true;
  });
});

export function findType({ group, version, resource }: TypeName): ResourceType | undefined {
  return allTypes.value.find((type) => type.group === group && type.version === version && type.resource === resource);
}

/** The type of a kind, as objects and owner references name it. */
export function typeOfKind(apiVersion: string, kind: string): ResourceType | undefined {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const ofKind = allTypes.value.filter(
    (type) => type.group === group && type.kind === kind && type.verbs.includes('get'),
  );
  return ofKind.find((type) => type.version === version) ?? ofKind[0];
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
const definitions = [
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiregistration.k8s.io/v1/apiservices',
];

/** Keeps the objects of unchanged types, because pages are reset when their type is another object. */
function keepEqual(before: readonly ResourceType[], after: readonly ResourceType[]): readonly ResourceType[] {
  const known = new Map(before.map((type) => [JSON.stringify(type), type]));
  const types = after.map((type) => known.get(JSON.stringify(type)) ?? type);
  return types.length === before.length && types.every((type, index) => type === before[index]) ? before : types;
}

const storageKey = 'keelson-console-types';

/** Returns the types from the last visit, so that the page need not wait for discovery. */
function remembered(): readonly ResourceType[] {
  try {
    const types: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(types) ? types : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function remember(types: readonly ResourceType[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(types));
  } catch {
    // The browser cannot store this many types. The next visit waits for discovery.
    localStorage.removeItem(storageKey);
  }
}

/** Loads the types, again whenever definitions change, and periodically for users who may not watch definitions. */
export function startCatalog(signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDirty = false;
  /** Returns whether the types were loaded. */
  const load = async (): Promise<boolean> => {
    try {
      const types = keepEqual(allTypes.value, await discover(signal));
      allTypes.value = types;
      isCatalogLoaded.value = true;
      remember(types);
      return true;
    } catch (error) {
      if (!signal.aborted) showError(error);
      return false;
    }
  };
  const loadSoon = (delay: number) => {
    if (timer !== undefined) {
      isDirty = true;
      return;
    }
    timer = setTimeout(async () => {
      isDirty = false;
      const isOk = await load();
      timer = undefined;
      if ((isDirty || !isOk) && !signal.aborted) loadSoon(isOk ? 500 : 3000);
    }, delay);
  };
  if (allTypes.value.length === 0) allTypes.value = remembered();
  // Requests for the content of the page come first.
  setTimeout(() => followDefinitions(() => loadSoon(300), signal));
  loadSoon(0);
  const poll = setInterval(() => document.hidden || loadSoon(0), 60_000);
  signal.addEventListener('abort', () => {
    clearInterval(poll);
    clearTimeout(timer);
  });
}

/** Waits before it reloads, because a definition is served shortly after it is written. */
function followDefinitions(events: () => void, signal: AbortSignal): void {
  const nothing = () => undefined;
  const follower = { listing: nothing, page: nothing, listed: nothing, events, state: nothing };
  for (const path of definitions) {
    void follow({ path, accept: metadataOnly, pageSize: 1, maxObjects: 1 }, follower, signal);
  }
}
