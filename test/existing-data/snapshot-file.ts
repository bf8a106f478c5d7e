import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import { type EtcdChange, etcdDatabase, withHash } from '../../src/storage/snapshot/etcd-file.conformance.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';

const layout = kubernetesLayout();

/** Returns the change of etcd that stores an object, as kube-apiserver writes it. */
export function stored(key: string, revision: number, object: object): EtcdChange {
  const value = layout.toStored(Buffer.from(JSON.stringify(object)), key) as Buffer;
  return { key, revision, value };
}

export const configMap = (name: string, data: object = {}): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2025-01-02T03:04:05Z' },
  data,
});

const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };

/** The objects of a small cluster. */
export const clusterChanges: readonly EtcdChange[] = [
  stored('/registry/namespaces/shop', 900, {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'shop', uid: 'uid-shop', creationTimestamp: '2025-01-02T03:04:05Z' },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  stored('/registry/configmaps/shop/old', 901, configMap('old')),
  stored('/registry/configmaps/shop/prices', 902, configMap('prices', { apple: '1' })),
  stored('/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.example.com', 903, {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'crontabs.example.com', uid: 'uid-crd', creationTimestamp: '2025-01-02T03:04:05Z' },
    spec: {
      group: 'example.com',
      names,
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          },
        },
      ],
      conversion: { strategy: 'None' },
    },
    status: {
      conditions: [
        { type: 'NamesAccepted', status: 'True', lastTransitionTime: '2025-01-02T03:04:05Z', reason: 'NoConflicts' },
        {
          type: 'Established',
          status: 'True',
          lastTransitionTime: '2025-01-02T03:04:05Z',
          reason: 'InitialNamesAccepted',
        },
      ],
      acceptedNames: names,
      storedVersions: ['v1'],
    },
  }),
  stored('/registry/example.com/crontabs/shop/nightly', 904, {
    apiVersion: 'example.com/v1',
    kind: 'CronTab',
    metadata: { name: 'nightly', namespace: 'shop', uid: 'uid-nightly', creationTimestamp: '2025-01-02T03:04:05Z' },
    spec: { cron: '0 2 * * *' },
  }),
  { key: '/registry/configmaps/shop/old', revision: 905 },
  { key: '/registry/secrets/shop/sealed', revision: 906, value: 'k8s:enc:aesgcm:v1:key1:0123456789abcdef' },
  { key: '/registry/ranges/serviceips', revision: 907, value: 'k8s\0' },
  { key: '/registry/masterleases/192.0.2.1', revision: 908, value: 'k8s\0' },
  { key: '/registry/podsecuritypolicies/restricted', revision: 909, value: 'k8s\0' },
  { key: 'compact_rev_key', revision: 1000, value: '900' },
];

/** Creates a file as `etcdctl snapshot save` writes it. It is removed after the test. */
export async function snapshotFile(changes: readonly EtcdChange[] = clusterChanges): Promise<string> {
  const path = join(await temporaryDirectory(), 'snapshot.db');
  await writeFile(path, withHash(etcdDatabase({ changes, perPage: 4 })));
  return path;
}
