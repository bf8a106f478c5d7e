import type { ResourceObject } from '../../meta/object.ts';
import { setPodTemplateDefaults } from '../core/pod/pod-spec-defaults.ts';
import type { Job, JobSpec } from './job-types.ts';

const defaultBackoffLimit = 6;
/** Used when each index has its own limit, which a limit for the whole job must not override. */
const noBackoffLimit = 2_147_483_647;

export function setJobDefaults(object: ResourceObject): void {
  const { metadata, spec } = object as Job;
  if (spec === undefined) return;
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? defaultBackoffLimit : noBackoffLimit;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  const { labels } = spec.template?.metadata ?? {};
  // Shares the map on purpose: `generateSelector` recognizes derived labels by identity.
  if (labels !== undefined) metadata.labels ??= labels;
  setJobTemplateDefaults(spec);
}

/** Sets the defaults that also apply to the job template of a CronJob. */
export function setJobTemplateDefaults({ podFailurePolicy, template }: JobSpec): void {
  for (const { onPodConditions } of podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) pattern.status ||= 'True';
  }
  setPodTemplateDefaults(template);
}
