/** Resources and subresources that are served but not stored, and need services that definitions cannot access. */
import type { TokenIssuer } from '../authn/index.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import { virtualTarget } from '../registry/admit-write.ts';
import { type ResourceDefinition, type ResourceSet, subresourceKind, type Verbs } from '../registry/index.ts';
import { builtInKind } from '../resources/index.ts';
import type { Storage } from '../storage/index.ts';
import { componentStatuses, localProbe } from './component-statuses.ts';
import { podEviction } from './pod-eviction.ts';
import { type ReviewDependencies, reviewResource } from './reviews/index.ts';
import { serviceAccountToken } from './service-account-token.ts';

interface VirtualDependencies {
  readonly storage: Pick<Storage, 'probe' | 'latestRevision'>;
  readonly tokens: TokenIssuer;
  /** What decides where the specification and kube-apiserver differ. */
  readonly compatibility: Compatibility;
  /** Used only when the first review arrives. */
  readonly reviews: ReviewDependencies;
}

/** The health ports of the Kubernetes components. */
const schedulerPort = 10259;
const controllerManagerPort = 10257;

export function virtualResources({ storage, tokens, reviews, compatibility }: VirtualDependencies) {
  const probeStorage = async (): Promise<string> => {
    await storage.probe(AbortSignal.timeout(2000));
    return 'ok';
  };
  return {
    /** The verbs of a type that is not stored; undefined when it is not served. */
    resource(definition: ResourceDefinition, set: ResourceSet): Verbs | undefined {
      const { group, resource } = definition;
      if (group !== '') return reviewResource(definition, reviews, set.admission);
      if (resource === 'bindings') {
        const { version, namespaced } = definition;
        const kind = subresourceKind({ ...definition, knownKind: builtInKind });
        const target = virtualTarget(kind, { resource: { group, version, resource }, subresource: '', namespaced });
        return { create: (request) => bindPod(set)({ ...request, name: '', admissionTarget: target }) };
      }
      if (resource !== 'componentstatuses') return undefined;
      return componentStatuses({
        probes: {
          scheduler: localProbe(schedulerPort),
          'controller-manager': localProbe(controllerManagerPort),
          'etcd-0': probeStorage,
        },
        revision: () => storage.latestRevision(),
        compatibility,
      });
    },
    /** The verbs of a subresource that is not a projection of its object. */
    subresource({ group, resource }: ResourceDefinition, name: string, set: ResourceSet): Verbs | undefined {
      if (group !== '') return undefined;
      if (resource === 'serviceaccounts' && name === 'token') return serviceAccountToken(set, tokens, set.admission);
      return resource === 'pods' && name === 'eviction' ? podEviction(set, set.admission) : undefined;
    },
  };
}

/** Creating a binding creates the binding subresource of the pod that it names. */
function bindPod(set: ResourceSet): NonNullable<Verbs['create']> {
  const pods = set.find({ group: '', version: 'v1', resource: 'pods' });
  return pods!.subresources.get('binding')!.create!;
}
