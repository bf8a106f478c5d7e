import type { ResourceObject } from '../../meta/object.ts';
import { nameWarnings } from '../apps/template-warnings.ts';
import { dropUnservedIn } from '../core/pod/unserved-references.ts';
import { setJobDefaults } from './job-defaults.ts';
import { generateSelector } from './job-selector.ts';
import { validateJobStatus } from './job-status-validation.ts';
import type { Job } from './job-types.ts';
import { validateJobUpdate } from './job-update-validation.ts';
import { validateJob } from './job-validation.ts';
import { jobSpecWarnings } from './job-warnings.ts';

export const jobRules = {
  dropUnserved: dropUnservedIn('spec', 'template', 'spec'),
  setDefaults: setJobDefaults,
  prepareCreate: generateSelector,
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'] as const,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatus: validateJobStatus,
  dependents: 'kept' as const,
  deleteWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
    'or set propagationPolicy=Orphan to suppress this warning',

  warnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
    const { spec = {} } = object as Job;
    if (oldObject === undefined) return [...nameWarnings(object), ...jobSpecWarnings(spec, 'spec')];
    if (object.metadata.generation === oldObject.metadata.generation) return [];
    return jobSpecWarnings(spec, 'spec');
  },
};
