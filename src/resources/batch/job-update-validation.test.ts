import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { Container } from '../core/container-types.ts';
import type { PodSpec } from '../core/pod-types.ts';
import { setJobDefaults } from './job-defaults.ts';
import { generateSelector } from './job-selector.ts';
import type { Job, JobSpec, JobStatus } from './job-types.ts';
import { validateJobUpdate } from './job-update-validation.ts';

const container: Container = { name: 'c', image: 'registry.example/c:1' };

function job(spec: JobSpec = {}, pod: PodSpec = {}, status: JobStatus = {}): Job {
  const template = { spec: { restartPolicy: 'Never', containers: [{ ...container }], ...pod } };
  const object: Job = { metadata: { name: 'j', namespace: 'n', uid: 'u' }, spec: { template, ...spec }, status };
  setJobDefaults(object);
  generateSelector(object);
  return object;
}

const errorsOf = (next: Job, oldObject: Job) => validateJobUpdate(next, oldObject).map(fieldErrorText);
const fieldsOf = (next: Job, oldObject: Job) => validateJobUpdate(next, oldObject).map(({ field }) => field);

describe('validateJobUpdate', () => {
  it.each<[string, JobSpec]>([
    ['nothing', {}],
    ['parallelism', { parallelism: 5 }],
    ['limits', { backoffLimit: 1, activeDeadlineSeconds: 9, ttlSecondsAfterFinished: 9 }],
    ['suspension', { suspend: true }],
  ])('accepts a change of %s', (_what, spec) => {
    expect(errorsOf(job({ completions: 3, ...spec }), job({ completions: 3 }))).toEqual([]);
  });

  it.each<[JobSpec, string]>([
    [{ completions: 4 }, 'spec.completions: Invalid value: 4: field is immutable'],
    [{ completionMode: 'Indexed' }, 'spec.completionMode: Invalid value: "Indexed": field is immutable'],
    [{ managedBy: 'a.b/c' }, 'spec.managedBy: Invalid value: "a.b/c": field is immutable'],
    [
      { podFailurePolicy: { rules: null }, podReplacementPolicy: 'Failed' },
      'spec.podFailurePolicy: Invalid value: {"Rules":null}: field is immutable',
    ],
  ])('refuses %j', (spec, error) => {
    expect(errorsOf(job({ completions: 3, ...spec }), job({ completions: 3 }))).toEqual([error]);
  });

  it('lets an indexed job grow together with its parallelism', () => {
    const indexed = (completions: number, parallelism: number) =>
      job({ completionMode: 'Indexed', completions, parallelism });
    expect(errorsOf(indexed(5, 5), indexed(3, 3))).toEqual([]);
    expect(errorsOf(indexed(5, 3), indexed(3, 3))).toEqual([
      'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism',
    ]);
  });

  const other: PodSpec = {
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }],
    schedulingGates: [{ name: 'example.com/g' }],
    affinity: { nodeAffinity: {} },
    containers: [{ ...container, resources: { requests: { cpu: '1' } } }],
  };

  it('refuses a changed template of a running job', () => {
    expect(fieldsOf(job({}, other), job())).toEqual(['spec.template']);
    const started = { startTime: '2025-01-01T00:00:00Z', active: 1 };
    expect(fieldsOf(job({ suspend: true }, other), job({ suspend: true }, {}, started))).toEqual(['spec.template']);
  });

  it('accepts changed scheduling directives and resources of a suspended job', () => {
    expect(errorsOf(job({}, other), job({ suspend: true }))).toEqual([]);
    const suspended = { startTime: '2025-01-01T00:00:00Z', conditions: [{ type: 'Suspended', status: 'True' }] };
    expect(errorsOf(job({}, other), job({ suspend: true }, {}, suspended))).toEqual([]);
  });

  it.each<[string, PodSpec]>([
    ['its image', { containers: [{ ...container, image: 'registry.example/c:2' }] }],
    ['its affinity to pods', { affinity: { podAffinity: {} } }],
  ])('but not %s', (_what, pod) => {
    expect(fieldsOf(job({ suspend: true }, pod), job({ suspend: true }))).toEqual(['spec.template.spec']);
  });
});
