import type { PolicyRule } from './policy-rule.ts';

/** A resource with its subresource, as rules name them. */
export interface ResourceForms {
  /** `pods` or `pods/log`. */
  readonly combined: string;
  /** The form for every resource that has this subresource. Undefined without a subresource. */
  readonly ofAll: string | undefined;
}

export function resourceForms(resource: string, subresource: string): ResourceForms {
  if (subresource === '') return { combined: resource, ofAll: undefined };
  return { combined: `${resource}/${subresource}`, ofAll: `*/${subresource}` };
}

export function matchesVerb({ verbs }: PolicyRule, verb: string): boolean {
  return verbs.includes(verb) || verbs.includes('*');
}

export function matchesGroup({ apiGroups }: PolicyRule, group: string): boolean {
  return apiGroups.includes(group) || apiGroups.includes('*');
}

/** `pods/*` is the name of nothing: only a lone star, or one in place of the resource, stands for more. */
export function matchesResource({ resources }: PolicyRule, { combined, ofAll }: ResourceForms): boolean {
  return resources.includes(combined) || resources.includes('*') || (ofAll !== undefined && resources.includes(ofAll));
}

export function matchesName({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** Whether one of the paths is that path or, with stars behind it, a beginning of it. */
export function matchesPath({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => url === path || (url.endsWith('*') && path.startsWith(withoutStars(url))));
}

function withoutStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end--;
  return url.slice(0, end);
}
