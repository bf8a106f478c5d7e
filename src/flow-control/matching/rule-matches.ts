import type { UserInfo } from '../../meta/user.ts';
import type {
  NonResourcePolicyRule,
  ResourcePolicyRule,
  Subject,
} from '../../resources/flowcontrol/flow-schema-types.ts';

/** The attributes of a resource request that rules compare. */
export interface MatchedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty when the path has none. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns an empty string for cluster scope. A namespace belongs to itself. */
export function namespaceOf({ group, resource, namespace, name }: MatchedResource): string {
  return namespace === '' && resource === 'namespaces' && group === '' ? name : namespace;
}

const serviceAccountPrefix = 'system:serviceaccount:';

export function matchesSubject({ kind, user, group, serviceAccount }: Subject, { name, groups }: UserInfo): boolean {
  switch (kind) {
    case 'User':
      return user?.name === '*' || user?.name === name;
    case 'Group':
      return group?.name === '*' || groups.includes(group?.name ?? '');
    case 'ServiceAccount': {
      if (!name.startsWith(serviceAccountPrefix)) return false;
      const [namespace, account] = name.slice(serviceAccountPrefix.length).split(':');
      if (namespace !== serviceAccount?.namespace) return false;
      return serviceAccount?.name === '*' || serviceAccount?.name === account;
    }
    default:
      return false;
  }
}

export function matchesResourceRule(rule: ResourcePolicyRule, verb: string, requested: MatchedResource): boolean {
  const { group, resource, subresource } = requested;
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group)) return false;
  const namespace = namespaceOf(requested);
  if (namespace === '' ? rule.clusterScope !== true : !has(rule.namespaces, namespace)) return false;
  return has(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`);
}

export function matchesNonResourceRule(rule: NonResourcePolicyRule, verb: string, path: string): boolean {
  if (!has(rule.verbs, verb)) return false;
  return (rule.nonResourceURLs ?? []).some(
    (url) => url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1))),
  );
}

/** A star matches all values. It is the only element of its list. */
function has(values: readonly string[] | null | undefined, value: string): boolean {
  if (!values) return false;
  return values[0] === '*' || values.includes(value) || values.includes('*');
}
