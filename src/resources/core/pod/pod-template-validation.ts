import type { FieldError } from '../../../meta/field-error.ts';
import { validateAnnotations, validateLabels } from '../../../meta/validate-labels.ts';
import type { PodTemplate } from './pod-shapes.ts';

/** Every error of a template: its labels and annotations, then its spec. The template has its defaults. */
export function validatePodTemplate(template: unknown, path: string): FieldError[] {
  const { metadata } = (template ?? {}) as PodTemplate;
  return [
    ...validateLabels(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations, `${path}.annotations`),
  ];
}

/** What a client is told of a valid template. `stored` is the template that it replaces. */
export function podTemplateWarnings(_template: unknown, _path: string, _stored?: unknown): string[] {
  return [];
}
