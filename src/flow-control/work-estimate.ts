import type { RequestContext } from '../http/request-context.ts';
import type { ResourceTarget } from '../http/request-info.ts';

/** What a resource has in memory. */
export interface ResourceLoad {
  /** The objects, of one namespace if it is given. */
  readonly objects: number;
  /** The watches of the type. */
  readonly watches: number;
}

/** Undefined for a resource that is not in memory, or belongs to another server. */
export type FindLoad = (target: ResourceTarget) => ResourceLoad | undefined;

/** So many objects of a list take a seat. */
const objectsPerSeat = 100;
/** A change that is sent to so many watches takes a seat. */
const watchesPerSeat = 200;

/** A field selector that requires a name. */
const oneName = /(^|,)metadata\.name==?[^,=]/;

/** How many seats a request takes: one, or as many as its work, up to a limit of its level. */
export function seatsOf(context: RequestContext, findLoad: FindLoad, maxSeats: number): number {
  const { verb, target } = context.info;
  if (maxSeats === 1 || target === undefined || verb === 'get') return 1;
  return Math.max(1, Math.min(maxSeats, Math.ceil(wantedSeats(context, target, findLoad))));
}

function wantedSeats(context: RequestContext, target: ResourceTarget, findLoad: FindLoad): number {
  switch (context.info.verb) {
    case 'list':
      return objectsOfList(context, target, findLoad) / objectsPerSeat;
    case 'watch':
      return sendsState(context) ? objectsOfList(context, target, findLoad) / objectsPerSeat : 1;
    case 'deletecollection': {
      const { objects = 0, watches = 0 } = findLoad(target) ?? {};
      return objects / objectsPerSeat + watches / watchesPerSeat;
    }
    default:
      // The change is sent to the watches before the request is answered.
      return target.subresource === '' || target.subresource === 'status'
        ? (findLoad(target)?.watches ?? 0) / watchesPerSeat
        : 1;
  }
}

/** A watch that starts at no version begins with all objects. */
function sendsState(context: RequestContext): boolean {
  const version = context.parameter('resourceVersion');
  return version === '' || version === '0' || context.parameter('sendInitialEvents') === 'true';
}

/** The objects that a list looks at. */
function objectsOfList(context: RequestContext, target: ResourceTarget, findLoad: FindLoad): number {
  const objects = findLoad(target)?.objects ?? 0;
  if (objects <= objectsPerSeat || context.exchange.query === '') return objects;
  const fields = context.parameter('fieldSelector');
  if (oneName.test(fields)) return 1;
  // Which objects match is only known after looking at them.
  if (fields !== '' || context.parameter('labelSelector') !== '') return objects;
  const limit = Number(context.parameter('limit'));
  return limit > 0 ? Math.min(limit, objects) : objects;
}
