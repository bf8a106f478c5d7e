import { describe, expect, it } from 'vitest';
import { setJobDefaults } from './job-defaults.ts';
import { generateSelector, validateGeneratedSelector } from './job-selector.ts';
import type { Job } from './job-types.ts';

const uid = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const generated = {
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': 'j',
  'controller-uid': uid,
  'job-name': 'j',
};

function created(job: Omit<Partial<Job>, 'metadata'> & { labels?: Record<string, string>; name?: string }): Job {
  const { labels, name = 'j', ...rest } = job;
  const object: Job = { metadata: { name, uid, labels }, ...rest };
  setJobDefaults(object);
  generateSelector(object);
  return object;
}

describe('generateSelector', () => {
  it('labels the job, its pods and its selector by the uid', () => {
    const { metadata, spec } = created({ spec: { template: {} } });
    expect(metadata.labels).toEqual(generated);
    expect(spec?.template?.metadata?.labels).toEqual(generated);
    expect(spec?.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
  });

  it('does not modify the given spec', () => {
    const spec = { template: { metadata: {} } };
    created({ spec });
    expect(spec.template).toEqual({ metadata: {} });
  });

  it('adds the generated labels when the job shares the labels of its template', () => {
    const { metadata, spec } = created({ spec: { template: { metadata: { labels: { a: 'b' } } } } });
    expect(spec?.template?.metadata?.labels).toEqual({ a: 'b', ...generated });
    expect(metadata.labels).toEqual({ a: 'b', ...generated });
  });

  it('does not add labels when the job has separate labels', () => {
    const { metadata } = created({ labels: { a: 'b' }, spec: { template: { metadata: { labels: { a: 'b' } } } } });
    expect(metadata.labels).toEqual({ a: 'b' });
  });

  it('does nothing when the client sets manualSelector', () => {
    const { metadata, spec } = created({ spec: { manualSelector: true, template: {} } });
    expect(metadata.labels).toBeUndefined();
    expect(spec?.selector).toBeUndefined();
  });

  it('does not copy a name that is not a label value to the labels of the job', () => {
    expect(created({ name: 'x'.repeat(64), spec: { template: {} } }).metadata.labels).toBeUndefined();
  });
});

describe('validateGeneratedSelector', () => {
  it('accepts what was generated', () => {
    expect(validateGeneratedSelector(created({ spec: { template: {} } }))).toEqual([]);
  });

  it('requires the prefixed labels only when told so', () => {
    const job = created({ spec: { template: {} } });
    job.spec!.template = { metadata: { labels: { 'controller-uid': uid, 'job-name': 'j' } } };
    job.spec!.selector = { matchLabels: { 'controller-uid': uid } };
    expect(validateGeneratedSelector(job).map(({ field }) => field)).toEqual([
      'spec.template.metadata.labels[batch.kubernetes.io/controller-uid]',
      'spec.template.metadata.labels[batch.kubernetes.io/job-name]',
    ]);
    expect(validateGeneratedSelector(job, { requirePrefixedLabels: false })).toEqual([]);
  });
});
