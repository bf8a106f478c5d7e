import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { parseGoUrl } from '../admissionregistration/go-url.ts';
import { specOf } from './definition-shape.ts';

const annotation = 'api-approved.kubernetes.io';
const path = `metadata.annotations[${annotation}]`;
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** Definitions in Kubernetes community groups need an approval annotation. An unchanged annotation stays accepted. */
export function approvalErrors(object: ResourceObject, oldObject: ResourceObject | undefined): FieldError[] {
  if (!protectedGroup.test(specOf(object).group ?? '')) return [];
  const approval = approvalOf(object);
  if (oldObject !== undefined && approvalOf(oldObject) === approval) return [];
  const must = `protected groups must have approval annotation "${annotation}"`;
  if (approval === 'missing') return [requiredValue(path, `${must}, ${reference}`)];
  if (approval !== 'invalid') return [];
  const detail = `${must} with either a URL or a reason starting with "unapproved", ${reference}`;
  return [invalidValue(path, object.metadata.annotations?.[annotation], detail)];
}

function approvalOf({ metadata }: ResourceObject): Approval {
  const text = metadata.annotations?.[annotation] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseGoUrl(text);
  return typeof url !== 'string' && url.scheme !== '' && url.host !== '' ? 'approved' : 'invalid';
}
