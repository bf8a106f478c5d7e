import type { RequestContext } from '../http/request-context.ts';
import type { ResourceTarget } from '../http/request-info.ts';

/** The size of a resource in memory. */
export interface ResourceLoad {
  /** The number of objects, in one namespace if it is given. */
  readonly objects: number;
  /** The number of watches of the type. */
  readonly watches: number;
  /** The approximate size of an object, in bytes. */
  readonly meanBytes: number;
}

/** Returns undefined for a resource that is not in memory, or belongs to another server. */
export type FindLoad = (target: ResourceTarget) => ResourceLoad | undefined;

/** The estimated work of a request. */
export interface Work {
  readonly seats: number;
  /** Whether it takes more than one seat because it examines many objects. */
  readonly isWide: boolean;
}

/** The number of examined objects for which a request takes one seat. */
const objectsPerSeat = 100;
/** The number of examined bytes for which a request takes one seat, for large objects. */
const objectBytesPerSeat = 1024 * 1024;
/** A write takes one seat for this number of watches that receive the change. */
const watchesPerSeat = 200;
/** A write takes one seat for this many bytes of its body, which limits the memory for bodies. */
const bytesPerSeat = 1024 * 1024;

/** A field selector that requires a name. */
const oneName = /(^|,)metadata\.name==?[^,=]/;
const small: Work = { seats: 1, isWide: false };

/** Estimates the seats that a request needs, up to the maximum for one request. */
export function workOf(context: RequestContext, findLoad: FindLoad, maxSeats: number): Work {
  const { verb, target } = context.info;
  if (maxSeats === 1 || target === undefined || verb === 'get') return small;
  const objects = scanned(context, target, findLoad);
  const wanted =
    objects === undefined ? seatsOfWrite(context, target, findLoad) : objects * seatsOfObject(findLoad(target));
  const seats = Math.min(maxSeats, Math.ceil(wanted));
  return seats <= 1 ? small : { seats, isWide: objects !== undefined };
}

function seatsOfObject({ meanBytes }: ResourceLoad = { objects: 0, watches: 0, meanBytes: 0 }): number {
  return Math.max(1 / objectsPerSeat, meanBytes / objectBytesPerSeat);
}

/** The number of objects that the request examines. Undefined for a request for a single object. */
function scanned(context: RequestContext, target: ResourceTarget, findLoad: FindLoad): number | undefined {
  switch (context.info.verb) {
    case 'list':
      return objectsOfList(context, target, findLoad);
    case 'watch':
      return sendsState(context) ? objectsOfList(context, target, findLoad) : 1;
    case 'deletecollection':
      return findLoad(target)?.objects ?? 0;
    default:
      return undefined;
  }
}

/** A change is sent to the watches before the request is answered, and its body is in memory until then. */
function seatsOfWrite({ exchange }: RequestContext, target: ResourceTarget, findLoad: FindLoad): number {
  const watches = (findLoad(target)?.watches ?? 0) / watchesPerSeat;
  return Math.max(watches, Number(exchange.header('content-length') ?? 0) / bytesPerSeat || 0);
}

/** A watch that starts at no version begins with all objects. */
function sendsState(context: RequestContext): boolean {
  const version = context.parameter('resourceVersion');
  return version === '' || version === '0' || context.parameter('sendInitialEvents') === 'true';
}

/** The objects that a list examines. */
function objectsOfList(context: RequestContext, target: ResourceTarget, findLoad: FindLoad): number {
  const objects = findLoad(target)?.objects ?? 0;
  if (objects <= 1 || context.exchange.query === '') return objects;
  const fields = context.parameter('fieldSelector');
  if (oneName.test(fields)) return 1;
  // All objects must be examined to find those that match.
  if (fields !== '' || context.parameter('labelSelector') !== '') return objects;
  const limit = Number(context.parameter('limit'));
  return limit > 0 ? Math.min(limit, objects) : objects;
}
