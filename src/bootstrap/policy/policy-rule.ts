import type { NonResourceRule, ResourceRule } from '../../authz/index.ts';

/** A rule of a role, as in the API. */
export interface PolicyRule extends ResourceRule, NonResourceRule {}

/** Rules by the name of the role that has them. */
export type NamedRules = Readonly<Record<string, readonly PolicyRule[]>>;

export const core = '';
/** The two API groups of events. */
export const eventGroups: readonly string[] = [core, 'events.k8s.io'];

/** Verbs, groups and resources are lists separated by spaces, in alphabetical order. */
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

/** Restricts a rule to objects with these names. */
export function withNames(rule: PolicyRule, ...names: readonly string[]): PolicyRule {
  return { ...rule, resourceNames: names };
}

/** Non-resource paths. A star at the end matches every path with this prefix. */
export function urls(paths: string, verbs = 'get'): PolicyRule {
  return { verbs: words(verbs), nonResourceURLs: words(paths) };
}

/** Every component may record events. */
export const recordEvents = rule('create patch update', eventGroups, 'events');

function words(text: string): string[] {
  return text.split(' ');
}
