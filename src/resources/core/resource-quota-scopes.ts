import { standardResources } from '../validation/resource-names.ts';

/** Unqualified resource names that a quota may limit: all except `storage`, the size of a single volume. */
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

/** The resources that each scope applies to. */
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

/** Unknown resources and unknown scopes always fit. */
export function fitsScope(resource: string, scope: string): boolean {
  return !isQuotaResource(resource) || scopes.get(scope)?.has(resource) !== false;
}
