import type { TestApi } from '../wire/api.ts';
import { namespaces } from './random-policy.ts';

/** A resource that random requests use. */
export interface ResourceType {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The object without its metadata. */
  readonly content: object;
}

const container = { name: 'c', image: 'i' };

const deployment = {
  selector: { matchLabels: { app: 'x' } },
  template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } },
};

export const resourceTypes: readonly ResourceType[] = [
  { group: '', resource: 'configmaps', kind: 'ConfigMap', namespaced: true, content: { data: { key: 'changed' } } },
  { group: '', resource: 'secrets', kind: 'Secret', namespaced: true, content: { stringData: { key: 'changed' } } },
  { group: '', resource: 'pods', kind: 'Pod', namespaced: true, content: { spec: { containers: [container] } } },
  { group: '', resource: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true, content: {} },
  { group: 'apps', resource: 'deployments', kind: 'Deployment', namespaced: true, content: { spec: deployment } },
  { group: 'coordination.k8s.io', resource: 'leases', kind: 'Lease', namespaced: true, content: {} },
  { group: '', resource: 'nodes', kind: 'Node', namespaced: false, content: {} },
];

export function resourceType(resource: string): ResourceType {
  return resourceTypes.find((candidate) => candidate.resource === resource)!;
}

export function rootOf({ group }: { group: string }): string {
  return group === '' ? '/api/v1' : `/apis/${group}/v1`;
}

export function collectionPath(type: ResourceType, namespace: string | undefined): string {
  return `${rootOf(type)}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${type.resource}`;
}

/** Returns a complete object with this metadata. */
export function objectOf({ group, kind, content }: ResourceType, metadata: object): object {
  return { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, metadata, ...content };
}

/** Creates the objects that random requests read and change: one that a request creates needs another permission. */
export async function createTargets(api: TestApi): Promise<void> {
  for (const type of resourceTypes) {
    for (const namespace of type.namespaced ? namespaces : [undefined]) {
      for (const name of ['one', 'two']) await api.post(collectionPath(type, namespace), objectOf(type, { name }));
    }
  }
}
