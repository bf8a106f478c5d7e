import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { mutateWith, testRequest, testTarget } from '../test-request.conformance.ts';
import { jobValidation } from './job-validation.ts';
import { podGroupProtection, podGroupWorkloadExists } from './pod-groups.ts';

const groups = testTarget('scheduling.k8s.io/podgroups', 'PodGroup');
const finding = (...found: ResourceObject[]): ObjectReader => ({
  get: (_type, { name }) => found.find(({ metadata }) => metadata.name === name),
  list: () => found,
});

it('PodGroupProtection adds its finalizer once', async () => {
  const finalizer = 'scheduling.k8s.io/podgroup-protection';
  for (const [before, after] of [
    [undefined, [finalizer]],
    [['x'], ['x', finalizer]],
    [[finalizer], [finalizer]],
  ]) {
    const object = { metadata: before === undefined ? {} : { finalizers: before } };
    expect((await mutateWith(podGroupProtection, testRequest(groups, { object }))).metadata.finalizers).toEqual(after);
  }
});

describe('PodGroupWorkloadExists', () => {
  const workload = { metadata: { name: 'w' }, spec: { podGroupTemplates: [{ name: 't' }] } };
  const reference = (workloadName: string, podGroupTemplateName: string) => ({
    podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } },
  });

  it.each<[spec: object, objects: ObjectReader, message: string]>([
    [{}, finding(), ''],
    [reference('w', 't'), finding(workload), ''],
    [reference('x', 't'), finding(workload), 'Workload "x" not found'],
    [reference('w', 'u'), finding(workload), 'PodGroupTemplate "u" not found in Workload "w"'],
    [
      reference('w', 't'),
      finding({ ...workload, metadata: { name: 'w', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      'Workload "w" is being deleted',
    ],
  ])('%j', async (spec, objects, message) => {
    const request = testRequest(groups, { object: { metadata: {}, spec } });
    const validate = async (): Promise<void> => podGroupWorkloadExists.validate!(request, objects);
    if (message === '') await validate();
    else {
      await expect(validate).rejects.toThrow(
        `podgroups.scheduling.k8s.io "a" is forbidden: PodGroup rejected: ${message}`,
      );
    }
  });
});

describe('JobValidation', () => {
  const jobs = testTarget('batch/jobs', 'Job');
  const plugin = jobValidation(() => [{ resource: 'podgroups', namespaced: true }]);
  const job = (parallelism: number, podGroupName?: string) => ({
    metadata: { name: 'j', uid: 'u' },
    spec: { parallelism, template: { spec: podGroupName === undefined ? {} : { schedulingGroup: { podGroupName } } } },
  });
  const group = (policy: object, owner?: string): ResourceObject => ({
    metadata: {
      name: 'g',
      ownerReferences: owner ? [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: owner, controller: true }] : [],
    },
    spec: { schedulingPolicy: policy },
  });
  const gang = { gang: { minCount: 2 } };
  const refusal =
    'jobs.batch "a" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "g"';

  it.each<[before: ResourceObject, after: ResourceObject, objects: ObjectReader, message: string]>([
    [job(1, 'g'), job(1, 'g'), finding(group(gang)), ''],
    [job(1, 'g'), job(2, 'g'), finding(group(gang)), refusal],
    [job(1, 'g'), job(2, 'g'), finding(group({ basic: {} })), ''],
    [job(1, 'g'), job(2, 'g'), finding(), ''],
    [job(1), job(2), finding(group(gang, 'u')), refusal],
    [job(1), job(2), finding(group(gang, 'other')), ''],
  ])('a change from %j to %j', async (oldObject, object, objects, message) => {
    const request = testRequest(jobs, { operation: 'UPDATE', oldObject, object });
    const validate = async (): Promise<void> => plugin.validate!(request, objects);
    if (message === '') await validate();
    else await expect(validate).rejects.toThrow(message);
  });

  it('does nothing where no groups are served', () => {
    expect(jobValidation(() => []).handles!('UPDATE', jobs)).toBe(false);
    expect(plugin.handles!('UPDATE', jobs)).toBe(true);
  });
});
