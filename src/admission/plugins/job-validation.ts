import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { podGroupKind, podGroups } from './pod-groups.ts';
import type { TypesOfKind } from './types-of-kind.ts';

interface JobSpec {
  readonly parallelism?: number | null;
  readonly template?: { readonly spec?: { readonly schedulingGroup?: { readonly podGroupName?: string } | null } };
}

/** Rejects a change of the parallelism of a job whose pods are scheduled together: the group has a fixed size. */
export function jobValidation(typesOf: TypesOfKind): AdmissionPlugin {
  return {
    name: 'JobValidation',
    rules: [{ operations: ['UPDATE'], resources: ['batch/jobs'] }],
    handles: () => typesOf(podGroupKind).length > 0,
    validate: checkParallelism,
  };
}

function checkParallelism(request: AdmissionRequest, objects: ObjectReader): MaybePromise<void> {
  const { object, oldObject, namespace } = request;
  if (oldObject === undefined) return;
  const job = specOf(oldObject);
  if ((specOf(object).parallelism ?? undefined) === (job.parallelism ?? undefined)) return;
  const name = job.template?.spec?.schedulingGroup?.podGroupName;
  const groups = name ? objects.get(podGroups, { namespace, name }) : objects.list(podGroups, namespace);
  return mapMaybe(groups, (found = []) => {
    const candidates = Array.isArray(found) ? found.filter((group) => isControlledBy(group, oldObject)) : [found];
    const gang = candidates.find(isGang);
    if (gang === undefined) return;
    const which = `gang-scheduled PodGroup ${goQuote(gang.metadata.name ?? '')}`;
    throw admissionForbidden(request, `cannot change parallelism for a Job referencing ${which}`);
  });
}

function specOf({ spec }: ResourceObject): JobSpec {
  return (spec ?? {}) as JobSpec;
}

function isControlledBy({ metadata }: ResourceObject, job: ResourceObject): boolean {
  const { uid } = job.metadata;
  return uid !== undefined && (metadata.ownerReferences ?? []).some((owner) => owner.controller && owner.uid === uid);
}

function isGang({ spec }: ResourceObject): boolean {
  const { schedulingPolicy } = (spec ?? {}) as { schedulingPolicy?: { gang?: object | null } | null };
  return !!schedulingPolicy?.gang;
}
