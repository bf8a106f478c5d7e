import type { PolicyRule } from './policy-rule.ts';

/** The entries in `resources` that match a resource and its subresource. */
export interface ResourcePatterns {
  /** `pods` or `pods/log`. */
  readonly combined: string;
  /** A star in place of the resource. Undefined without a subresource. */
  readonly anyResource: string | undefined;
}

export function resourcePatterns(resource: string, subresource: string): ResourcePatterns {
  if (subresource === '') return { combined: resource, anyResource: undefined };
  return { combined: `${resource}/${subresource}`, anyResource: `*/${subresource}` };
}

export function matchesVerb({ verbs }: PolicyRule, verb: string): boolean {
  return verbs.includes(verb) || verbs.includes('*');
}

export function matchesGroup({ apiGroups }: PolicyRule, group: string): boolean {
  return apiGroups.includes(group) || apiGroups.includes('*');
}

/** `pods/*` matches nothing: a star is a wildcard only alone or in place of the resource. */
export function matchesResource({ resources }: PolicyRule, { combined, anyResource }: ResourcePatterns): boolean {
  return (
    resources.includes(combined) ||
    resources.includes('*') ||
    (anyResource !== undefined && resources.includes(anyResource))
  );
}

export function matchesName({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** Whether one of the URLs equals the path or, with trailing stars, is a prefix of it. */
export function matchesPath({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => url === path || (url.endsWith('*') && path.startsWith(withoutStars(url))));
}

function withoutStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end--;
  return url.slice(0, end);
}
