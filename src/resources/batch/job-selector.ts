import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelValueErrors } from '../../meta/label-syntax.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { orderedMeta } from '../../registry/ordered-meta.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { sortedMap } from '../core/pod/sorted-map.ts';
import { compileLabelSelector, validateLabelSelector } from '../validation/label-selectors.ts';
import type { Job } from './job-types.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';
const nameLabel = 'batch.kubernetes.io/job-name';
const formerUidLabel = 'controller-uid';
const formerNameLabel = 'job-name';

/**
 * Makes the job select its pods by its UID, unless the client sets `manualSelector`. The spec is replaced, not
 * modified, because a create with `generateName` may be retried with another name.
 */
export function generateSelector(object: ResourceObject): void {
  const { metadata, spec = {} } = object as Job;
  if (spec.manualSelector) return;
  const { name = '', uid = '' } = metadata;
  const template = spec.template ?? {};
  const given = template.metadata?.labels;
  const labels = sortedMap({
    [uidLabel]: uid,
    [nameLabel]: name,
    [formerUidLabel]: uid,
    [formerNameLabel]: name,
    ...given,
  });
  const { matchLabels, ...expressions } = spec.selector ?? {};
  object.spec = {
    ...spec,
    selector: { matchLabels: sortedMap({ [uidLabel]: uid, ...matchLabels }), ...expressions },
    template: { ...template, metadata: orderedMeta({ ...(template.metadata as ObjectMeta), labels }) },
  };
  const isDerived = metadata.labels === undefined ? labelValueErrors(name).length === 0 : metadata.labels === given;
  // A name that is not a label value is not copied. Validation reports it in the template.
  if (isDerived) metadata.labels = labels;
}

/** Checks that the labels and the selector are the generated ones, unless the client set `manualSelector`. */
export function validateGeneratedSelector(
  object: ResourceObject,
  { requirePrefixedLabels = true }: { requirePrefixedLabels?: boolean } = {},
): FieldError[] {
  const { metadata, spec = {} } = object as Job;
  if (spec.manualSelector || spec.selector === undefined) return [];
  const { name = '', uid = '' } = metadata;
  const former: [string, string][] = [
    [formerUidLabel, uid],
    [formerNameLabel, name],
  ];
  const prefixed: [string, string][] = [
    [uidLabel, uid],
    [nameLabel, name],
  ];
  const expected = requirePrefixedLabels ? [...former, ...prefixed] : former;
  const labels = spec.template?.metadata?.labels;
  const errors = expected.flatMap(([key, value]) => labelErrors(labels, key, value));
  if (matchesSelector(spec.selector, Object.fromEntries(expected)) === false) {
    errors.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'));
  }
  return errors;
}

/** Returns undefined when the selector is invalid. */
export function matchesSelector(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>> | undefined,
): boolean | undefined {
  return validateLabelSelector(selector, '').length > 0 ? undefined : compileLabelSelector(selector).matches(labels);
}

export function hasPrefixedLabels(object: ResourceObject): boolean {
  const labels = (object as Job).spec?.template?.metadata?.labels;
  return labels?.[uidLabel] !== undefined && labels[nameLabel] !== undefined;
}

function labelErrors(labels: Readonly<Record<string, string>> = {}, key: string, expected: string): FieldError[] {
  const field = `spec.template.metadata.labels[${key}]`;
  const detail = `must be '${expected}'`;
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (actual === undefined) return [requiredValue(field, detail)];
  return actual === expected ? [] : [invalidValue(field, labels, detail)];
}
