import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../meta/quantity.ts';

export type Resources = Readonly<Record<string, string>>;

export interface Container {
  readonly name?: string;
  readonly restartPolicy?: string;
  resources?: ResourceNeeds | null;
}

export interface ResourceNeeds {
  readonly requests?: Resources | null;
  readonly limits?: Resources | null;
}

export interface PodSpec {
  readonly containers?: Container[] | null;
  readonly initContainers?: Container[] | null;
  /** The resources of the pod as a whole. */
  readonly resources?: ResourceNeeds | null;
}

export interface ContainerGroup {
  /** The name of this group of containers in messages. */
  readonly label: string;
  readonly containers: readonly Container[];
}

export function containerGroups({ containers, initContainers }: PodSpec): readonly ContainerGroup[] {
  return [
    { label: 'container', containers: containers ?? [] },
    { label: 'init container', containers: initContainers ?? [] },
  ];
}

/** The resources of a pod: the sum of its containers, or the largest of the init containers if that is more. */
export function podResources(spec: PodSpec): { readonly requests: Resources; readonly limits: Resources } {
  return { requests: total(spec, 'requests'), limits: total(spec, 'limits') };
}

function total({ containers, initContainers, resources }: PodSpec, kind: 'requests' | 'limits'): Resources {
  const needs = (container: Container): Resources => container.resources?.[kind] ?? {};
  let sum = (containers ?? []).map(needs).reduce(addedResources, {});
  let beside: Resources = {};
  let first: Resources = {};
  for (const container of initContainers ?? []) {
    // A sidecar keeps running together with the containers that start after it.
    const need = addedResources(beside, needs(container));
    first = largest(first, need);
    if (container.restartPolicy !== 'Always') continue;
    beside = need;
    sum = addedResources(sum, needs(container));
  }
  const stated = Object.entries(resources?.[kind] ?? {}).filter(([name]) => isPodWide(name));
  return { ...largest(sum, first), ...Object.fromEntries(stated) };
}

function isPodWide(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

export function addedResources(left: Resources, right: Resources): Resources {
  return combined(left, right, (a, b) => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b))));
}

function largest(left: Resources, right: Resources): Resources {
  return combined(left, right, (a, b) => (compareQuantities(parseQuantity(a), parseQuantity(b)) < 0 ? b : a));
}

function combined(left: Resources, right: Resources, combine: (a: string, b: string) => string): Resources {
  // No prototype: clients choose the names, and `__proto__` is one.
  const result: Record<string, string> = Object.assign(Object.create(null), left);
  for (const [name, value] of Object.entries(right)) {
    const present = result[name];
    result[name] = present === undefined ? value : combine(present, value);
  }
  return result;
}

/** Whether this is an extended resource, with a domain other than Kubernetes'. */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

/** Whether the pod requests no processor time and no memory. */
export function isBestEffort({ containers, initContainers, resources }: PodSpec): boolean {
  const all = [{ resources }, ...(containers ?? []), ...(initContainers ?? [])].flatMap((holder) => [
    holder.resources?.requests,
    holder.resources?.limits,
  ]);
  return all.every((amounts) => !isPositive(amounts?.cpu) && !isPositive(amounts?.memory));
}

export function isPositive(amount: string | undefined): boolean {
  return amount !== undefined && parseQuantity(amount).unscaled > 0n;
}
