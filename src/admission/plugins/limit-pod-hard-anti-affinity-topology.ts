import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

interface PodSpec {
  readonly affinity?: {
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly { readonly topologyKey?: string }[] | null;
    } | null;
  } | null;
}

const hostname = 'kubernetes.io/hostname';

/** Rejects pods that keep others away from more than their own node. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
  validate(request) {
    const { affinity } = (request.object.spec ?? {}) as PodSpec;
    const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const wider = terms.find(({ topologyKey }) => topologyKey !== hostname);
    if (wider === undefined) return;
    throw admissionForbidden(
      request,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider.topologyKey ?? ''} but only key ${hostname} is allowed`,
    );
  },
};
