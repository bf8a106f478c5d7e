import { type ApiObject, keyOf, versionOf, type WatchEvent } from '../exactness/api-object.ts';
import type { Interference, ProxiedResponse, Request } from './interfering-proxy.ts';
import { lastValue } from './run-history.ts';

/** An interference that counts how often it caused a fault. */
export interface PlantedFault extends Interference {
  readonly planted: () => number;
}

type Chance = () => boolean;
type Forward = (request: Request) => Promise<ProxiedResponse>;

const isObject = (path: string): boolean => /\/configmaps\/object-\d+$/.test(path);
const isCollection = (path: string): boolean => path.endsWith('/configmaps');
const isWrite = ({ method, path }: Request): boolean => ['PUT', 'PATCH'].includes(method) && isObject(path);
/** Informers wait for this write, so a history without it would fail only after a long timeout. */
const isLast = ({ body }: Request): boolean => body?.includes(lastValue) ?? false;
const withQuery = (request: Request, query: string): Request => ({ ...request, path: `${request.path}?${query}` });

/** Responds instead of the server at random, if the fault is possible. */
function responding(
  chance: Chance,
  wrong: (request: Request, forward: Forward) => Promise<ProxiedResponse | undefined>,
): PlantedFault {
  let planted = 0;
  return {
    planted: () => planted,
    respond: async (request, forward) => {
      const response = chance() ? await wrong(request, forward) : undefined;
      if (response === undefined) return forward(request);
      planted++;
      return response;
    },
  };
}

/** Repeats the first response for a path after later writes were acknowledged. */
function repeating(chance: Chance, matches: (path: string) => boolean): PlantedFault {
  const kept = new Map<string, { readonly response: ProxiedResponse; isOld: boolean }>();
  let planted = 0;
  return {
    planted: () => planted,
    respond: async (request, forward) => {
      const { method, path } = request;
      if (method !== 'GET' || !matches(path)) {
        const response = await forward(request);
        if (method !== 'GET' && response.status < 300) {
          for (const [other, one] of kept) if (isObject(path) && path.startsWith(other)) one.isOld = true;
        }
        return response;
      }
      const old = kept.get(path);
      if (old?.isOld && chance()) {
        planted++;
        return old.response;
      }
      const response = await forward(request);
      if (response.status === 200 && old === undefined) kept.set(path, { response, isOld: false });
      return response;
    },
  };
}

/** Returns the response of a dry run as a success, with a version that no write has had. */
async function pretend(request: Request, forward: Forward): Promise<ProxiedResponse | undefined> {
  const tried = await forward(withQuery(request, 'dryRun=All'));
  if (tried.status >= 300) return undefined;
  const object = JSON.parse(tried.text);
  if (object.kind === 'Status') return tried;
  const list = JSON.parse((await forward({ method: 'GET', path: '/api/v1/configmaps?limit=1' })).text);
  object.metadata.resourceVersion = String(Number(list.metadata.resourceVersion) + 1);
  return { ...tried, text: JSON.stringify(object) };
}

/**
 * Repeats a write without its precondition after the server has rejected it. This is rare enough without a random
 * choice.
 */
function overwriting(): PlantedFault {
  let planted = 0;
  return {
    planted: () => planted,
    respond: async (request, forward) => {
      const response = await forward(request);
      if (request.method !== 'PUT' || response.status !== 409) return response;
      planted++;
      const { metadata, ...body } = JSON.parse(request.body!);
      return forward({ ...request, body: JSON.stringify({ ...body, metadata: { name: metadata.name } }) });
    },
  };
}

async function shorten(request: Request, forward: Forward): Promise<ProxiedResponse | undefined> {
  if (request.method !== 'GET' || !isCollection(request.path)) return undefined;
  const response = await forward(request);
  const list = JSON.parse(response.text);
  const index = (list.items as ApiObject[]).findIndex(({ metadata }) => metadata.name.startsWith('object-'));
  if (index < 0) return undefined;
  list.items.splice(index, 1);
  return { ...response, text: JSON.stringify(list) };
}

function eventFault(
  change: (event: WatchEvent, query: URLSearchParams) => readonly WatchEvent[] | undefined,
): PlantedFault {
  let planted = 0;
  return {
    planted: () => planted,
    events: (event, query) => {
      const isOwn = event.type !== 'BOOKMARK' && event.type !== 'ERROR' && keyOf(event.object).includes('/object-');
      // Only streams that start at a version are changed, because other checks cover initial states.
      const changed = isOwn && Number(query.get('resourceVersion')) > 0 ? change(event, query) : undefined;
      if (changed !== undefined) planted++;
      return changed ?? [event];
    },
  };
}

function bookmark(version: number): WatchEvent {
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(version) } } as ApiObject };
}

/** Faults of servers that a proxy can simulate. The checks must find all of them. */
export const plantedFaults: Readonly<Record<string, (chance: Chance) => PlantedFault>> = {
  'a read of an object as it was before': (chance) => repeating(chance, isObject),
  'a list as it was before': (chance) => repeating(chance, isCollection),
  'a write that was acknowledged and not done': (chance) =>
    responding(chance, async (request, forward) =>
      isWrite(request) && !isLast(request) ? pretend(request, forward) : undefined,
    ),
  'a deletion that was acknowledged and not done': (chance) =>
    responding(chance, async (request, forward) =>
      request.method === 'DELETE' ? pretend(request, forward) : undefined,
    ),
  'a write in spite of its precondition': overwriting,
  'a list without one of the objects': (chance) => responding(chance, shorten),
  'an event twice': (chance) => eventFault((event) => (chance() ? [event, event] : undefined)),
  'an event that is missing': (chance) => eventFault(() => (chance() ? [] : undefined)),
  'a bookmark before its event': (chance) =>
    eventFault((event, query) =>
      query.get('allowWatchBookmarks') === 'true' && chance() ? [bookmark(versionOf(event.object)), event] : undefined,
    ),
};
