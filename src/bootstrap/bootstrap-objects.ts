import type { Client, ResourceReference } from '../client/index.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import type { ResourceObject } from '../meta/object.ts';
import { type CreateDefault, ensureObject, lookUpAndEnsureObject, type Reconciliation } from './ensure-object.ts';
import { type ChangeObject, moveObject } from './move-object.ts';

/** The field manager of requests of the server. */
const fieldManager = 'kube-apiserver';

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/** The running calls, by client. */
const running = new WeakMap<Client, Promise<void>>();

/**
 * Creates the system namespaces. Idempotent: existing namespaces stay unchanged. Concurrent callers share the work.
 * `create` is given if the store was empty.
 */
export function ensureSystemNamespaces(client: Client, create?: CreateDefault): Promise<void> {
  const work =
    running.get(client) ??
    Promise.all(systemNamespaces.map((name) => ensurePresent(client, namespaces, { metadata: { name } }, create)))
      .then(() => {})
      .finally(() => running.delete(client));
  running.set(client, work);
  return work;
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

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

/** Creates the two system priority classes, which rank above those of users. Idempotent. */
export async function ensureSystemPriorityClasses(client: Client, create?: CreateDefault): Promise<void> {
  await Promise.all(systemPriorities.map((priority) => ensurePresent(client, priorityClasses, priority, create)));
}

export interface KubernetesService {
  /** The port on which the server listens. */
  readonly port: number;
  readonly ip: string;
}

/**
 * Ensures the service `kubernetes`, by which programs in the cluster find the API server. Idempotent; updates the
 * target port. The namespace `default` must exist.
 */
export async function ensureKubernetesService(client: Client, service: KubernetesService): Promise<void> {
  await lookUpAndEnsureObject<Service>({
    objects: client.resource<Service>(services, 'default'),
    desired: kubernetesService(service),
    reconcile: reconcileService,
  });
}

/**
 * Like `ensureKubernetesService`, for the service in the copy of a store, without requests. Returns false when requests
 * are needed.
 */
export function moveKubernetesService(change: ChangeObject, service: KubernetesService): Promise<boolean> {
  return moveObject(change, services, (current) => reconcileService(current as Service, kubernetesService(service)));
}

const services = { group: '', version: 'v1', resource: 'services' };

function reconcileService(current: Service, { spec: { ports } }: Service): Reconciliation<Service> {
  return isJsonEqual(current.spec.ports, ports) ? 'keep' : { ...current, spec: { ...current.spec, ports } };
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

function ensurePresent(
  client: Client,
  type: ResourceReference,
  desired: ResourceObject,
  createDefault: CreateDefault | undefined,
): Promise<void> {
  const wanted = { objects: client.resource(type), desired, reconcile: () => 'keep' as const };
  // Reads first: a webhook or policy may refuse the create of an object that exists.
  if (createDefault === undefined) return lookUpAndEnsureObject(wanted);
  return ensureObject({ ...wanted, create: () => createDefault(type, { object: desired, fieldManager }) });
}
