import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Client } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { lookUpAndEnsureObject } from './ensure-object.ts';

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Creates the system namespaces. Idempotent: existing namespaces stay unchanged. */
export async function ensureSystemNamespaces(client: Client): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' });
  await Promise.all(systemNamespaces.map((name) => ensure(() => namespaces.create({ metadata: { name } }))));
}

const systemPriorities = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    preemptionPolicy: 'PreemptLowerPriority',
  },
];

/** Creates the two system priority classes, which rank above those of users. Idempotent. */
export async function ensureSystemPriorityClasses(client: Client): Promise<void> {
  const classes = client.resource({ group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' });
  await Promise.all(systemPriorities.map((priority) => ensure(() => classes.create(priority))));
}

interface KubernetesService {
  /** The port on which the server listens. */
  readonly port: number;
  readonly ip: string;
}

/**
 * Ensures the service `kubernetes`, by which programs in the cluster find the API server. Idempotent; updates the
 * target port.
 */
export async function ensureKubernetesService(client: Client, service: KubernetesService): Promise<void> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces' });
  await ensure(() => namespaces.create({ metadata: { name: 'default' } }));
  await lookUpAndEnsureObject<Service>({
    objects: client.resource<Service>({ group: '', version: 'v1', resource: 'services' }, 'default'),
    wanted: kubernetesService(service),
    reconcile: (present, { spec: { ports } }) =>
      isDeepStrictEqual(present.spec.ports, ports) ? 'keep' : { ...present, spec: { ...present.spec, ports } },
  });
}

interface Service extends ResourceObject {
  spec: { readonly ports: readonly object[]; readonly [field: string]: unknown };
}

function kubernetesService({ port, ip }: KubernetesService): Service {
  return {
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: ip,
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
    },
  };
}

async function ensure(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status?.reason !== 'AlreadyExists') throw error;
  }
}
