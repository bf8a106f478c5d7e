import { serverUser } from '../meta/user.ts';
import type { FaultedRequest, Pattern, RequestMatch } from './fault-rule.ts';

/** Returns whether a rule selects the request. */
export function matchesRequest(match: RequestMatch, { user, verb, path, target }: FaultedRequest): boolean {
  // A rule without users does not apply to the server's own requests.
  if (match.user === undefined && user === serverUser.name) return false;
  if (!matches(match.user, user) || !matches(match.verb, verb)) return false;
  if (target === undefined) return match.path !== undefined && matchesPath(match.path, path);
  if (match.path !== undefined) return false;
  const subresource = match.subresource ?? (match.resource === undefined ? '*' : '');
  return (
    matches(match.group, target.group) &&
    matches(match.resource, target.resource) &&
    matches(subresource, target.subresource) &&
    matches(match.namespace, target.namespace) &&
    matches(match.name, target.name)
  );
}

function matches(pattern: Pattern | undefined, value: string): boolean {
  if (pattern === undefined) return true;
  return typeof pattern === 'string' ? isMatch(pattern, value) : pattern.some((one) => isMatch(one, value));
}

function isMatch(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}

function matchesPath(pattern: Pattern, path: string): boolean {
  const patterns = typeof pattern === 'string' ? [pattern] : pattern;
  return patterns.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one));
}
