import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../meta/quantity.ts';

export type Resources = Readonly<Record<string, string>>;

export interface Container {
  readonly name?: string;
  readonly restartPolicy?: string;
  resources?: { readonly requests?: Resources; readonly limits?: Resources };
}

export interface PodSpec {
  readonly containers?: Container[];
  readonly initContainers?: Container[];
}

export interface ContainerGroup {
  /** How messages call a container of the group. */
  readonly label: string;
  readonly containers: readonly Container[];
}

export function containerGroups({ containers = [], initContainers = [] }: PodSpec): readonly ContainerGroup[] {
  return [
    { label: 'container', containers },
    { label: 'init container', containers: initContainers },
  ];
}

/** What a pod needs as a whole: all containers at a time, or the largest of those that run before them. */
export function podResources({ containers = [], initContainers = [] }: PodSpec): {
  readonly requests: Resources;
  readonly limits: Resources;
} {
  const total = (kind: 'requests' | 'limits'): Resources => {
    const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
    const sum = [...containers, ...sidecars].map(({ resources }) => resources?.[kind] ?? {}).reduce(added, {});
    const first = initContainers.filter(({ restartPolicy }) => restartPolicy !== 'Always');
    return first.map(({ resources }) => resources?.[kind] ?? {}).reduce(largest, sum);
  };
  return { requests: total('requests'), limits: total('limits') };
}

function added(left: Resources, right: Resources): Resources {
  return combined(left, right, (a, b) => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b))));
}

function largest(left: Resources, right: Resources): Resources {
  return combined(left, right, (a, b) => (compareQuantities(parseQuantity(a), parseQuantity(b)) < 0 ? b : a));
}

function combined(left: Resources, right: Resources, combine: (a: string, b: string) => string): Resources {
  const result: Record<string, string> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const present = result[name];
    result[name] = present === undefined ? value : combine(present, value);
  }
  return result;
}
