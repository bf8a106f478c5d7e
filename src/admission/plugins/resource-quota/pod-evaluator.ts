import type { ResourceObject } from '../../../meta/object.ts';
import {
  addedResources,
  isBestEffort,
  isExtendedResource,
  isPositive,
  type PodSpec,
  podResources,
  type ResourceNeeds,
  type Resources,
} from '../pod-resources.ts';
import { matchesRequirement } from './quota.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const measured = ['cpu', 'memory', 'ephemeral-storage'];
const names: ReadonlySet<string> = new Set([
  'pods',
  'count/pods',
  ...measured.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** If a quota limits these, every container must specify them. */
const mandatory: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);
const finished: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

interface QuotaPodSpec extends PodSpec {
  readonly overhead?: Resources;
  readonly activeDeadlineSeconds?: number;
  readonly priorityClassName?: string;
  readonly affinity?: { readonly podAffinity?: PodAffinity; readonly podAntiAffinity?: PodAffinity };
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm?: AffinityTerm }[];
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}

/** Pods are counted by number and by requested resources, until they have terminated. */
export const podEvaluator: QuotaEvaluator = {
  concerns: (name) =>
    names.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && isExtendedResource(name.slice('requests.'.length))),

  usage(pod) {
    const counted = { 'count/pods': '1' };
    const { phase } = (pod.status ?? {}) as { phase?: string };
    if (finished.has(phase)) return counted;
    const spec = specOf(pod);
    const { requests, limits } = podResources(spec);
    const { overhead = {} } = spec;
    // Overhead adds only to existing limits.
    const limitedOverhead = Object.entries(overhead).filter(([name]) => isPositive(limits[name]));
    return {
      ...counted,
      pods: '1',
      ...measures({
        requests: addedResources(requests, overhead),
        limits: addedResources(limits, Object.fromEntries(limitedOverhead)),
      }),
    };
  },

  isInScope(pod, requirement) {
    const spec = specOf(pod);
    switch (requirement.scopeName) {
      case 'Terminating':
        return hasDeadline(spec);
      case 'NotTerminating':
        return !hasDeadline(spec);
      case 'BestEffort':
        return isBestEffort(spec);
      case 'NotBestEffort':
        return !isBestEffort(spec);
      case 'PriorityClass':
        return matchesRequirement(requirement, spec.priorityClassName || undefined);
      case 'CrossNamespacePodAffinity':
        return looksElsewhere(spec);
      default:
        return false;
    }
  },

  missing(pod, limits) {
    const spec = specOf(pod);
    const stated = measures(spec.resources ?? {});
    const needed = limits.filter((name) => mandatory.has(name) && stated[name] === undefined).sort();
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const unspecified = needed.flatMap((name) => {
      const found = containers.filter(({ resources }) => measures(resources ?? {})[name] === undefined);
      const containerNames = [...new Set(found.map((container) => container.name ?? ''))].sort();
      return containerNames.length === 0 ? [] : [`${name} for: ${containerNames.join(',')}`];
    });
    return unspecified.length === 0 ? undefined : `must specify ${unspecified.join('; ')}`;
  },
};

/**
 * Whether an update moves a pod between the scopes Terminating and NotTerminating, the only ones that an update can
 * change.
 */
export function changesDeadline(pod: ResourceObject, oldPod: ResourceObject | undefined): boolean {
  return oldPod !== undefined && hasDeadline(specOf(pod)) !== hasDeadline(specOf(oldPod));
}

function hasDeadline({ activeDeadlineSeconds }: QuotaPodSpec): boolean {
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null;
}

function specOf({ spec }: ResourceObject): QuotaPodSpec {
  return (spec ?? {}) as QuotaPodSpec;
}

/** Requests and limits by their names in quotas. */
function measures({ requests, limits }: ResourceNeeds): Resources {
  const result: Record<string, string> = {};
  for (const [name, amount] of Object.entries(requests ?? {})) {
    if (measured.includes(name) || name.startsWith('hugepages-')) result[name] = amount;
    else if (!isExtendedResource(name)) continue;
    result[`requests.${name}`] = amount;
  }
  for (const name of measured) {
    const amount = limits?.[name];
    if (amount !== undefined) result[`limits.${name}`] = amount;
  }
  return result;
}

function looksElsewhere({ affinity }: QuotaPodSpec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((found) => [
    ...(found?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(found?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some((term) => !!term?.namespaces?.length || term?.namespaceSelector !== undefined);
}
