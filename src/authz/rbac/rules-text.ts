import { goQuote } from '../../meta/go-quote.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * Formats rules that each have a single verb and resource as kube-apiserver does: one per line, sorted, with the verbs
 * on the same resource and name combined.
 */
export function rulesText(rules: readonly PolicyRule[]): string {
  return [...new Set(combineVerbs(rules).map(ruleText))].sort(byCodePoints).join('\n');
}

/** Formats a list of quoted strings as Go does. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

interface Line {
  readonly rule: PolicyRule;
  readonly verbs: string[];
}

function combineVerbs(rules: readonly PolicyRule[]): Line[] {
  const lines = new Map<string, Line>();
  for (const rule of rules) {
    // Rules for URLs are not combined.
    const { verbs, nonResourceURLs, ...same } = rule;
    const key = JSON.stringify(nonResourceURLs.length > 0 ? rule : same);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { rule, verbs: [...verbs] });
    else if (nonResourceURLs.length === 0) line.verbs.push(...verbs);
  }
  return [...lines.values()];
}

function ruleText({ rule, verbs }: Line): string {
  const fields = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', verbs],
  ] as const;
  const nonEmpty = fields.filter(([, texts]) => texts.length > 0);
  return `{${nonEmpty.map(([name, texts]) => `${name}:${quotedList(texts)}`).join(', ')}}`;
}

function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
