import type { Typed } from './peer-codecs.ts';

export interface Sample {
  /** The path of the collection. */
  readonly path: string;
  readonly object: Typed;
}

const metadata = { name: 'sample', labels: { yes: 'no' }, annotations: { text: 'a\n "b": \u2028 é 😀 # c\n' } };
/** An int64 that a JavaScript number cannot represent. */
export const long = 9_007_199_254_740_993n;

/** Objects with all values that encodings write differently. */
export const samples: readonly Sample[] = [
  {
    path: '/api/v1/namespaces/default/configmaps',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata,
      data: { on: 'yes', 'a.b': '1e3', empty: '', lines: ' a\nb\n\n' },
      binaryData: { bytes: 'AAEC/w==' },
    },
  },
  {
    path: '/api/v1/namespaces/default/secrets',
    object: { kind: 'Secret', apiVersion: 'v1', metadata, data: { none: '', some: '//79' }, type: 'Opaque' },
  },
  {
    path: '/api/v1/namespaces/default/limitranges',
    object: {
      kind: 'LimitRange',
      apiVersion: 'v1',
      metadata,
      spec: { limits: [{ type: 'Container', max: { cpu: '1500m', memory: '1Gi' }, min: { cpu: '1m' } }] },
    },
  },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata,
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2030-01-02T03:04:05.000006Z' },
    },
  },
  {
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    object: {
      kind: 'ControllerRevision',
      apiVersion: 'apps/v1',
      metadata,
      data: { spec: { list: [1, 1.5, null, true, 'text', {}, []], nested: { 'a/b': -1 } } },
      revision: 7,
    },
  },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata,
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'c',
                image: 'registry.example/c:1',
                readinessProbe: { httpGet: { path: '/', port: 'http' } },
                resources: { limits: { cpu: '0.5' } },
              },
            ],
          },
        },
      },
    },
  },
];

/** Returns the sample with a number that only some decoders can represent. */
export function withLongNumber({ object }: Sample, name: string): Typed {
  const copy = structuredClone(object);
  copy.metadata.name = name;
  copy.spec.template.spec.terminationGracePeriodSeconds = long;
  return copy;
}

export function named({ object }: Sample, name: string): Typed {
  return { ...object, metadata: { ...object.metadata, name } };
}
