import { goQuoteList } from '../../meta/go-quote.ts';
import { goStruct } from '../../meta/go-syntax.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * Formats rules that each have a single verb and resource as kube-apiserver does: one per line, sorted, with the verbs
 * on the same resource and name combined.
 */
export function rulesText(rules: readonly PolicyRule[]): string {
  return [...new Set(combineVerbs(rules).map(ruleText))].sort(byCodePoints).join('\n');
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
  const fields = Object.entries({
    APIGroups: rule.apiGroups,
    Resources: rule.resources,
    NonResourceURLs: rule.nonResourceURLs,
    ResourceNames: rule.resourceNames,
    Verbs: verbs,
  });
  const nonEmpty = fields.filter(([, texts]) => texts.length > 0);
  return goStruct('', Object.fromEntries(nonEmpty.map(([name, texts]) => [name, goQuoteList(texts)])));
}

function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
