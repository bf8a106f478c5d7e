import { goQuote } from '../../meta/go-quote.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * Rules of a single verb on a single thing in kube-apiserver's words: one a line, sorted, the verbs on the same resource and
 * name together.
 */
export function rulesText(rules: readonly PolicyRule[]): string {
  return [...new Set(withVerbsTogether(rules).map(ruleText))].sort(byCodePoints).join('\n');
}

/** Texts in quotes, as Go prints a list of them. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

interface Line {
  readonly rule: PolicyRule;
  readonly verbs: string[];
}

function withVerbsTogether(rules: readonly PolicyRule[]): Line[] {
  const lines = new Map<string, Line>();
  for (const rule of rules) {
    // Each path stays on its own, with each of its verbs.
    const { verbs, nonResourceURLs, ...same } = rule;
    const key = JSON.stringify(nonResourceURLs.length > 0 ? rule : same);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { rule, verbs: [...verbs] });
    else if (nonResourceURLs.length === 0) line.verbs.push(...verbs);
  }
  return [...lines.values()];
}

function ruleText({ rule, verbs }: Line): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', verbs],
  ] as const;
  const there = parts.filter(([, texts]) => texts.length > 0);
  return `{${there.map(([name, texts]) => `${name}:${quotedList(texts)}`).join(', ')}}`;
}

function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
