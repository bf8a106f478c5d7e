import { type FieldError, forbiddenValue, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import { explicitValue } from '../../schema/explicit-empty.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { validatePodTemplate } from '../core/pod/pod-template-validation.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import { compileLabelSelector, isEmptySelector } from '../validation/label-selectors.ts';

const always = ['Always'];

/** Validates the template of a controller that selects its pods by label and keeps them running. */
export function validateControlledTemplate(
  template: PodTemplateSpec,
  path: string,
  { selector, kind }: { selector: LabelSelector | undefined; kind: string },
): FieldError[] {
  return [
    ...validateSelected(template, path, selector),
    ...validatePodTemplate(template, path),
    ...validateRestarting(template, path, kind),
  ];
}

/** `selector` must be valid. An absent selector matches no labels. An empty one is reported elsewhere. */
export function validateSelected(
  { metadata }: PodTemplateSpec,
  path: string,
  selector: LabelSelector | undefined,
): FieldError[] {
  const matches =
    selector !== undefined && (isEmptySelector(selector) || compileLabelSelector(selector).matches(metadata?.labels));
  return matches ? [] : [unselectedLabels(metadata, path)];
}

/** The error for a template that the selector of its controller does not match. */
export function unselectedLabels(metadata: PodTemplateSpec['metadata'], path: string): FieldError {
  const labels = explicitValue(metadata ?? {}, 'labels', {});
  return invalidValue(`${path}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

/** `kind` appears in the error messages. */
export function validateRestarting({ spec = {} }: PodTemplateSpec, path: string, kind: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.restartPolicy !== 'Always') {
    errors.push(notSupportedValue(`${path}.spec.restartPolicy`, spec.restartPolicy ?? '', always));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    errors.push(
      forbiddenValue(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
    );
  }
  return errors;
}
