import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Schema } from '../../schema/model.ts';
import type { Container } from '../core/container-types.ts';
import { PodSpec, PodTemplateSpec } from '../core/pod-types.ts';
import type { Affinity } from '../core/scheduling-types.ts';
import { immutableDetail, isSameValue } from '../validation/immutable.ts';
import { internalValue } from '../validation/internal-value.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { isIndexed } from './is-indexed.ts';
import { isConditionTrue } from './job-condition.ts';
import { validateJobSpec } from './job-spec-validation.ts';
import type { Job, JobSpec } from './job-types.ts';
import { PodFailurePolicy, SuccessPolicy } from './job-types.ts';

/** `validateJob` also checks the spec, so that its errors appear twice, as in kube-apiserver. */
export function validateJobUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { spec = {} } = next as Job;
  const { spec: previous = {} } = oldObject as Job;
  return [
    ...validateJobSpec(spec, 'spec'),
    ...completionErrors(spec, previous),
    ...unchanged('selector', spec, previous),
    ...templateErrors(spec, oldObject as Job),
    ...unchanged('completionMode', spec, previous),
    ...unchanged('podFailurePolicy', spec, previous, PodFailurePolicy),
    ...unchanged('backoffLimitPerIndex', spec, previous),
    ...unchanged('managedBy', spec, previous),
    ...unchanged('successPolicy', spec, previous, SuccessPolicy),
  ];
}

function unchanged(name: keyof JobSpec, next: JobSpec, previous: JobSpec, schema?: Schema): FieldError[] {
  const value = next[name];
  if (isSameValue(value, previous[name])) return [];
  const shown = schema === undefined || value === undefined ? value : internalValue(schema, value);
  return [invalidValue(`spec.${name}`, shown, immutableDetail)];
}

/** An indexed job may change its completions when they equal the parallelism. */
function completionErrors(spec: JobSpec, previous: JobSpec): FieldError[] {
  const { completions, parallelism } = spec;
  if (!isIndexed(spec)) return unchanged('completions', spec, previous);
  if (completions === undefined || completions === previous.completions || completions === parallelism) return [];
  return [invalidValue('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}

/** Scheduling directives and resources of the pod template may change while a job is suspended. */
function templateErrors(spec: JobSpec, oldObject: Job): FieldError[] {
  const template = spec.template ?? {};
  const previous = oldObject.spec?.template ?? {};
  if (isSameOfType(PodTemplateSpec, template, previous)) return [];
  if (!isSuspended(oldObject)) {
    return [invalidValue('spec.template', internalValue(PodTemplateSpec, template), immutableDetail)];
  }
  if (isSameOfType(PodSpec, immutableFields(template.spec), immutableFields(previous.spec))) return [];
  return [invalidValue('spec.template.spec', internalValue(PodSpec, template.spec), immutableDetail)];
}

/** A suspended job counts only when it has no running pods. */
function isSuspended({ spec, status = {} }: Job): boolean {
  if (!spec?.suspend || status.active) return false;
  return status.startTime === undefined || isConditionTrue(status, 'Suspended');
}

function immutableFields(spec: PodSpec = {}): object {
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, affinity, ...rest } = spec;
  return {
    ...rest,
    affinity: withoutNodeAffinity(affinity),
    containers: spec.containers?.map(withoutResources),
    initContainers: spec.initContainers?.map(withoutResources),
  };
}

function withoutNodeAffinity({ nodeAffinity: _node, ...rest }: Affinity = {}): object | undefined {
  return Object.values(rest).some((value) => value !== undefined) ? rest : undefined;
}

function withoutResources({ resources: _resources, ...rest }: Container): object {
  return rest;
}
