/** The meaning of a path and a method, whether or not the resource exists. */
export interface RequestInfo {
  /** Percent-decoded. */
  readonly path: string;
  /** The verb for authorization: the API verb for resources, the lower-case method otherwise. */
  readonly verb: string;
  /** Undefined for paths outside the resource trees. */
  readonly target: ResourceTarget | undefined;
  /** Set for a path of history. Its target is the object whose history is requested. */
  readonly isHistory?: true;
}

export interface ResourceTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  /** Empty when the path has none. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  /** Whether the path is a deprecated one that begins with `watch/`. */
  readonly isWatchPath: boolean;
  /**
   * The path after the subresource `proxy`, percent-encoded and with its leading slash. Empty when nothing follows, and
   * for other subresources.
   */
  readonly rest: string;
  /** Whether the path has too many segments or empty ones, so that no resource can match. */
  readonly isMalformed: boolean;
}

const namespaceSubresources = new Set(['status', 'finalize']);

/** The prefix of history paths. The API path of an object follows and determines the required permission. */
const historyRoot = '/keelson/history';

/** Parses a request path. Throws a URIError when its encoding is invalid. */
export function requestInfo(method: string, rawPath: string, query: string): RequestInfo {
  const path = rawPath.includes('%') ? decodeURIComponent(rawPath) : rawPath;
  const ownTarget = resourceTarget(path, rawPath);
  if (ownTarget !== undefined) return { path, verb: verbOf(method, ownTarget, query), target: ownTarget };
  const target = path.startsWith(`${historyRoot}/`)
    ? resourceTarget(path.slice(historyRoot.length), path.slice(historyRoot.length))
    : undefined;
  if (target === undefined) return { path, verb: method.toLowerCase(), target };
  return { path, verb: verbOf(method, target, query), target, isHistory: true };
}

function resourceTarget(path: string, rawPath: string): ResourceTarget | undefined {
  const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  // The first segment is empty, because the path begins with a slash.
  if (segments[1] === 'api' && segments.length > 3)
    return targetAt(segments, { group: '', version: segments[2]!, at: 3, rawPath });
  if (segments[1] === 'apis' && segments.length > 4) {
    return targetAt(segments, { group: segments[2]!, version: segments[3]!, at: 4, rawPath });
  }
  return undefined;
}

function targetAt(
  segments: readonly string[],
  { group, version, at, rawPath }: { group: string; version: string; at: number; rawPath: string },
): ResourceTarget {
  if (segments[at] === 'watch' && segments.length > at + 1) {
    const target = targetAt(segments.toSpliced(at, 1), { group, version, at, rawPath });
    return {
      ...target,
      isWatchPath: true,
      isMalformed: target.isMalformed || target.isWatchPath || target.subresource !== '',
    };
  }
  const inNamespace =
    segments[at] === 'namespaces' && segments.length > at + 2 && !namespaceSubresources.has(segments[at + 2]!);
  const first = inNamespace ? at + 2 : at;
  const isProxy = segments[first + 2] === 'proxy';
  const rest = isProxy ? restBehind(rawPath, first + 2) : '';
  return {
    group,
    version,
    namespace: inNamespace ? segments[at + 1]! : '',
    resource: segments[first] ?? '',
    name: segments[first + 1] ?? '',
    subresource: segments[first + 2] ?? '',
    isWatchPath: false,
    rest: rest ?? '',
    isMalformed:
      rest === undefined || (isProxy ? segments.slice(at, first + 2).includes('') : isTooLong(segments, first, at)),
  };
}

function isTooLong(segments: readonly string[], first: number, at: number): boolean {
  return segments.length > first + 3 || segments.includes('', at);
}

/** Returns undefined when an encoded slash before the segment makes the start of the rest ambiguous. */
function restBehind(rawPath: string, index: number): string | undefined {
  const segments = rawPath.split('/');
  if (segments[index] !== 'proxy') return undefined;
  return segments.length === index + 1 ? '' : `/${segments.slice(index + 1).join('/')}`;
}

function verbOf(method: string, { name, isWatchPath }: ResourceTarget, query: string): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isWatchPath) return 'watch';
      if (name !== '') return 'get';
      return isWatch(query) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      // No resource supports this method, so no verb exists for it.
      return '';
  }
}

/**
 * As in Kubernetes, `watch=` and a bare `watch` request a stream, too. The watch handler rejects values that are
 * neither true nor false.
 */
export function isWatch(query: string): boolean {
  if (!query.includes('watch')) return false;
  const value = new URLSearchParams(query).get('watch');
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

const longRunningSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request may take any time. Such a request has no deadline, and the server ends it when it stops. */
export function isLongRunning({ verb, target, path }: RequestInfo): boolean {
  if (target === undefined) return path.startsWith('/debug/pprof/');
  return verb === 'watch' || (target.subresource !== '' && longRunningSubresources.has(target.subresource));
}
