export interface RequestTarget {
  /** Begins with a slash, except for the `*` of OPTIONS. */
  readonly path: string;
  readonly query: string;
}

/** Parses the path and query of a request. Proxies may send a whole URL. */
export function parseRequestTarget(target: string): RequestTarget {
  const relative = target.charCodeAt(0) === slash ? target : withoutAuthority(target);
  const question = relative.indexOf('?');
  return question === -1
    ? { path: relative, query: '' }
    : { path: relative.slice(0, question), query: relative.slice(question + 1) };
}

const slash = '/'.charCodeAt(0);

function withoutAuthority(target: string): string {
  if (target === '*') return target;
  const scheme = target.indexOf('://');
  if (scheme === -1) return '/';
  const authorityEnd = target.slice(scheme + 3).search(/[/?]/);
  if (authorityEnd === -1) return '/';
  const rest = target.slice(scheme + 3 + authorityEnd);
  return rest.startsWith('?') ? `/${rest}` : rest;
}
