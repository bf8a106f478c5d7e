import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { podTemplateWarnings } from '../core/pod/pod-template-validation.ts';

type Templated = { template?: unknown } | undefined;

/** Returns the warnings of the pod template on create and when the desired state has changed. */
export function templateWarnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  if (!isChanged(object, oldObject)) return [];
  return podTemplateWarnings((object.spec as Templated)?.template, 'spec.template');
}

/** Whether the desired state has changed. The generation has already been incremented at this point. */
export function isChanged(object: ResourceObject, oldObject: ResourceObject | undefined): boolean {
  return oldObject === undefined || object.metadata.generation !== oldObject.metadata.generation;
}

/** Returns the warnings of kinds whose pods are named after the object. */
export function namedTemplateWarnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  const warnings = templateWarnings(object, oldObject);
  return oldObject === undefined ? [...nameWarnings(object), ...warnings] : warnings;
}

/** Warns on create of a name that is too long or has dots, because it becomes part of pod names and hostnames. */
export function nameWarnings({ metadata: { name = '' } }: ResourceObject): string[] {
  const problems = dnsLabelErrors(name);
  if (problems.length === 0) return [];
  const problem = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${problem}; a DNS label is recommended: [${problems.join(' ')}]`];
}
