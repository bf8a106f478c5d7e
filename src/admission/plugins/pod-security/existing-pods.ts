import type { ResourceObject } from '../../../meta/object.ts';
import { securedPod } from './secured-pod.ts';
import { violations } from './security-checks.ts';
import { type SecurityStandard, standardName } from './security-policy.ts';

/** Limits the duration of the check in namespaces with many pods. */
const maxChecked = 3000;

/** The warnings for a namespace whose new standard existing pods violate. The pods are not changed. */
export function existingPodWarnings(
  namespace: string,
  pods: readonly ResourceObject[],
  standard: SecurityStandard,
): string[] {
  const named = new Map<string, string[]>();
  for (const pod of pods.slice(0, maxChecked)) {
    const found = violations(standard, securedPod(pod));
    if (found.length === 0) continue;
    const reasons = found.map(({ reason }) => reason).join(', ');
    named.set(reasons, [...(named.get(reasons) ?? []), pod.metadata.name ?? '']);
  }
  const level = `PodSecurity enforce level`;
  const head: string[] = [];
  if (pods.length > maxChecked) {
    head.push(`new ${level} only checked against the first ${maxChecked} of ${pods.length} existing pods`);
  }
  if (named.size > 0) {
    head.push(`existing pods in namespace "${namespace}" violate the new ${level} "${standardName(standard)}"`);
  }
  return [...head, ...[...named].map(([reasons, names]) => `${subject(names)}: ${reasons}`).sort()];
}

function subject(names: string[]): string {
  const [first = ''] = names.sort();
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
