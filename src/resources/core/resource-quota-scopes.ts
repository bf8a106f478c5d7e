import { standardResources } from '../validation/resource-names.ts';

/** Names without a domain that a quota may limit: all but that of a volume's size. */
const quotaResources: ReadonlySet<string> = new Set([...standardResources].filter((name) => name !== 'storage'));

const podResources: ReadonlySet<string> = new Set([
  'pods',
  'count/pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
const podCounts: ReadonlySet<string> = new Set(['pods', 'count/pods']);
const claimResources: ReadonlySet<string> = new Set([
  'persistentvolumeclaims',
  'count/persistentvolumeclaims',
  'requests.storage',
]);

/** Each scope with the resources that it can be said of. */
const scopes: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['BestEffort', podCounts],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['VolumeAttributesClass', claimResources],
]);

export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

export function isQuotaScope(scope: string): boolean {
  return scopes.has(scope);
}

/** Of resources and scopes that are not known everything is believed. */
export function fitsScope(resource: string, scope: string): boolean {
  return !isQuotaResource(resource) || scopes.get(scope)?.has(resource) !== false;
}
