import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const group = 'scheduling.k8s.io';
const version = 'v1alpha2';
export const podGroups = { group, version, resource: 'podgroups' };
export const podGroupKind = { group, version, kind: 'PodGroup' };
const workloads = { group, version, resource: 'workloads' };

const finalizer = 'scheduling.k8s.io/podgroup-protection';

interface PodGroupSpec {
  readonly podGroupTemplateRef?: {
    readonly workload?: { readonly workloadName?: string; readonly podGroupTemplateName?: string } | null;
  } | null;
}

interface WorkloadSpec {
  readonly podGroupTemplates?: readonly { readonly name?: string }[] | null;
}

/** Adds a finalizer that keeps a pod group while pods use it. Its controller removes the finalizer. */
export const podGroupProtection: AdmissionPlugin = {
  name: 'PodGroupProtection',
  rules: [{ operations: ['CREATE'], resources: [`${group}/podgroups`] }],
  mutate({ object: { metadata } }) {
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  },
};

/** Rejects groups of pods whose template does not exist. */
export const podGroupWorkloadExists: AdmissionPlugin = {
  name: 'PodGroupWorkloadExists',
  rules: [{ operations: ['CREATE'], resources: [`${group}/podgroups`] }],
  validate(request, objects): MaybePromise<void> {
    const { workload } = ((request.object.spec ?? {}) as PodGroupSpec).podGroupTemplateRef ?? {};
    if (!workload) return;
    const { workloadName: name = '', podGroupTemplateName: template = '' } = workload;
    return mapMaybe(objects.get(workloads, { namespace: request.namespace, name }), (found) => {
      const named = `Workload ${goQuote(name)}`;
      if (found === undefined) throw admissionForbidden(request, `PodGroup rejected: ${named} not found`);
      if (found.metadata.deletionTimestamp !== undefined) {
        throw admissionForbidden(request, `PodGroup rejected: ${named} is being deleted`);
      }
      const templates = ((found.spec ?? {}) as WorkloadSpec).podGroupTemplates ?? [];
      if (templates.some((known) => known.name === template)) return;
      throw admissionForbidden(
        request,
        `PodGroup rejected: PodGroupTemplate ${goQuote(template)} not found in ${named}`,
      );
    });
  },
};
