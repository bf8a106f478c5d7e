import type { StorageVersion } from '../../src/meta/storage-version.ts';
import type { TestApi } from '../wire/api.ts';

export const path = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
export const gates = {
  featureGates: 'StorageVersionAPI=true',
  runtimeConfig: 'internal.apiserver.k8s.io/v1alpha1=true',
};

export async function all(api: TestApi): Promise<StorageVersion[]> {
  return (await api.get(path)).body.items;
}

export async function serverIds(api: TestApi): Promise<string[]> {
  const { body } = await api.get(`${leases}?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver`);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).toSorted();
}

export const idsOf = ({ status }: StorageVersion): string[] =>
  (status?.storageVersions ?? []).map(({ apiServerID }) => apiServerID).toSorted();
