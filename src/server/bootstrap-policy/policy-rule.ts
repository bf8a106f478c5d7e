import type { NonResourceRule, ResourceRule } from '../../authz/index.ts';

/** What a role allows, in the form that the API has. */
export interface PolicyRule extends ResourceRule, NonResourceRule {}

/** Rules by the name of the role that has them. */
export type NamedRules = Readonly<Record<string, readonly PolicyRule[]>>;

export const core = '';
/** Events are served in two groups. */
export const eventGroups: readonly string[] = [core, 'events.k8s.io'];

/** Verbs, groups and resources are words with spaces between them, in alphabetical order. */
export function rule(verbs: string, groups: string | readonly string[], ...resources: readonly string[]): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: typeof groups === 'string' ? words(groups) : groups,
    resources: resources.flatMap(words),
  };
}

export function read(groups: string | readonly string[], ...resources: readonly string[]): PolicyRule {
  return rule('get list watch', groups, ...resources);
}

export function write(groups: string | readonly string[], ...resources: readonly string[]): PolicyRule {
  return rule('create delete deletecollection patch update', groups, ...resources);
}

export function readAndWrite(groups: string | readonly string[], ...resources: readonly string[]): PolicyRule {
  return rule('create delete deletecollection get list patch update watch', groups, ...resources);
}

/** The same rule for objects of these names alone. */
export function named(rule: PolicyRule, ...names: readonly string[]): PolicyRule {
  return { ...rule, resourceNames: names };
}

/** Paths that are no resources; a star at the end stands for every path that begins so. */
export function urls(paths: string, verbs = 'get'): PolicyRule {
  return { verbs: words(verbs), nonResourceURLs: words(paths) };
}

/** Whatever works in a cluster may say what happens to it. */
export const recordEvents = rule('create patch update', eventGroups, 'events');

function words(text: string): string[] {
  return text.split(' ');
}
