import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { parseGoUrl } from '../admissionregistration/go-url.ts';
import { specOf } from './definition-parts.ts';

const annotation = 'api-approved.kubernetes.io';
const path = `metadata.annotations[${annotation}]`;
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';
const must = `protected groups must have approval annotation "${annotation}"`;
const urlOrReason = 'with either a URL or a reason starting with "unapproved"';
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** Definitions in Kubernetes community groups need an approval annotation. An unchanged annotation stays accepted. */
export function approvalErrors(object: ResourceObject, oldObject: ResourceObject | undefined): FieldError[] {
  if (!protectedGroup.test(specOf(object).group ?? '')) return [];
  const approval = approvalOf(object);
  if (oldObject !== undefined && approvalOf(oldObject) === approval) return [];
  if (approval === 'missing') return [requiredValue(path, `${must}, ${reference}`)];
  if (approval !== 'invalid') return [];
  const detail = `${must} ${urlOrReason}, ${reference}`;
  return [invalidValue(path, object.metadata.annotations?.[annotation], detail)];
}

/** Reports the approval of a definition in a community group. Undefined for other groups. */
export function approvalCondition(object: ResourceObject) {
  if (!protectedGroup.test(specOf(object).group ?? '')) return undefined;
  const text = object.metadata.annotations?.[annotation] ?? '';
  const condition = (status: 'True' | 'False', reason: string, message: string) => {
    return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
  };
  switch (approvalOf(object)) {
    case 'approved':
      return condition('True', 'ApprovedAnnotation', `approved in ${text}`);
    case 'bypassed':
      return condition('False', 'UnapprovedAnnotation', `not approved: ${goQuote(text)}`);
    case 'missing':
      return condition('False', 'MissingAnnotation', `${must}, ${reference}`);
    case 'invalid':
      return condition('False', 'InvalidAnnotation', `${must} ${urlOrReason}, ${reference}`);
  }
}

function approvalOf({ metadata }: ResourceObject): Approval {
  const text = metadata.annotations?.[annotation] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseGoUrl(text);
  return typeof url !== 'string' && url.scheme !== '' && url.host !== '' ? 'approved' : 'invalid';
}
