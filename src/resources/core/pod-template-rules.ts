import type { ResourceRules } from '../../registry/resource-definition.ts';
import { setPodTemplateDefaults } from './pod/pod-spec-defaults.ts';
import { podTemplateWarnings, validatePodTemplate } from './pod/pod-template-validation.ts';
import { dropUnservedIn } from './pod/unserved-references.ts';

export const podTemplateRules: Partial<ResourceRules> = {
  dropUnserved: dropUnservedIn('template', 'spec'),
  setDefaults: ({ template }) => setPodTemplateDefaults(template),
  validate: ({ template }) => validatePodTemplate(template, 'template'),
  warnings: ({ template }) => podTemplateWarnings(template, 'template'),
};
