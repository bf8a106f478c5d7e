import type { Labels } from '../../meta/label-requirement.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../schema/meta-types.ts';

export function labelsText(labels: Labels | null | undefined): string {
  const pairs = Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels![key]}`);
  return pairs.join(',') || '<none>';
}

/** Formats a selector like the `labelSelector` query parameter, or as `<none>` if it is empty. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  const text = querySelector(selector);
  return text === undefined ? '<error>' : text || '<none>';
}

/** Returns undefined for an invalid selector. */
export function querySelector(selector: LabelSelector | null | undefined): string | undefined {
  const requirements: { key: string; text: string }[] = [];
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {}))
    requirements.push({ key, text: `${key}=${value}` });
  for (const requirement of selector?.matchExpressions ?? []) {
    const text = requirementText(requirement);
    if (text === undefined) return undefined;
    requirements.push({ key: requirement.key ?? '', text });
  }
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return requirements.map(({ text }) => text).join(',');
}

function requirementText({ key = '', operator, values = [] }: LabelSelectorRequirement): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) return undefined;
      return `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`;
    case 'Exists':
      return values.length > 0 ? undefined : key;
    case 'DoesNotExist':
      return values.length > 0 ? undefined : `!${key}`;
    default:
      return undefined;
  }
}
