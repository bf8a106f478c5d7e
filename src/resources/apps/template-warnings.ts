import { dnsLabelErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { podTemplateWarnings } from '../core/pod/pod-template-validation.ts';

type Templated = { template?: unknown } | undefined;

/** The warnings of the template, when it is new or something of the desired state has changed. */
export function templateWarnings(object: ResourceObject, stored: ResourceObject | undefined): string[] {
  if (!isChanged(object, stored)) return [];
  return podTemplateWarnings((object.spec as Templated)?.template, 'spec.template');
}

/** Whether the desired state is another one, which the server has counted by now. */
export function isChanged(object: ResourceObject, stored: ResourceObject | undefined): boolean {
  return stored === undefined || object.metadata.generation !== stored.metadata.generation;
}

/** For kinds whose pods are named after the object, which may have a name that is too long or has dots. */
export function namedTemplateWarnings(object: ResourceObject, stored: ResourceObject | undefined): string[] {
  const warnings = templateWarnings(object, stored);
  return stored === undefined ? [...nameWarnings(object.metadata.name ?? ''), ...warnings] : warnings;
}

function nameWarnings(name: string): string[] {
  const problems = dnsLabelErrors(name);
  if (problems.length === 0) return [];
  const surprise = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${surprise}; a DNS label is recommended: [${problems.join(' ')}]`];
}
