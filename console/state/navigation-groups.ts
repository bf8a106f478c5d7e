import type { ResourceType } from '../api/resource-type.ts';

export interface NavigationGroup {
  readonly title: string;
  readonly types: readonly ResourceType[];
}

const ofCore: Readonly<Record<string, string>> = {
  pods: 'Workloads',
  replicationcontrollers: 'Workloads',
  podtemplates: 'Workloads',
  configmaps: 'Configuration',
  secrets: 'Configuration',
  resourcequotas: 'Configuration',
  limitranges: 'Configuration',
  services: 'Network',
  endpoints: 'Network',
  persistentvolumes: 'Storage',
  persistentvolumeclaims: 'Storage',
  serviceaccounts: 'Access',
};

const ofGroup: Readonly<Record<string, string>> = {
  apps: 'Workloads',
  batch: 'Workloads',
  autoscaling: 'Workloads',
  policy: 'Configuration',
  'networking.k8s.io': 'Network',
  'discovery.k8s.io': 'Network',
  'storage.k8s.io': 'Storage',
  'storagemigration.k8s.io': 'Storage',
  'rbac.authorization.k8s.io': 'Access',
  'certificates.k8s.io': 'Access',
  'authentication.k8s.io': 'Access',
  'authorization.k8s.io': 'Access',
  'admissionregistration.k8s.io': 'Extension',
  'apiextensions.k8s.io': 'Extension',
  'apiregistration.k8s.io': 'Extension',
  'events.k8s.io': 'Cluster',
  'coordination.k8s.io': 'Cluster',
  'flowcontrol.apiserver.k8s.io': 'Cluster',
  'internal.apiserver.k8s.io': 'Cluster',
  'node.k8s.io': 'Cluster',
  'resource.k8s.io': 'Cluster',
  'scheduling.k8s.io': 'Cluster',
};

const order = ['Workloads', 'Configuration', 'Network', 'Storage', 'Access', 'Cluster', 'Extension'];

/** Groups types by purpose. API groups that are not built in have their own sections, before the others. */
export function navigationGroups(types: readonly ResourceType[]): NavigationGroup[] {
  const byTitle = Map.groupBy(types, ({ group, resource }) =>
    group === '' ? (ofCore[resource] ?? 'Cluster') : (ofGroup[group] ?? group),
  );
  const rank = (title: string) => order.indexOf(title);
  return [...byTitle]
    .map(([title, members]) => ({ title, types: members.toSorted((a, b) => a.kind.localeCompare(b.kind)) }))
    .sort((a, b) => rank(a.title) - rank(b.title) || a.title.localeCompare(b.title));
}

/** Whether a type matches the typed text: a part of its name, kind or group, or a short name. */
export function matchesType(type: ResourceType, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const names = [type.resource, type.kind.toLowerCase(), type.group, ...type.shortNames];
  return words.every((word) => names.some((name) => name.includes(word)));
}
