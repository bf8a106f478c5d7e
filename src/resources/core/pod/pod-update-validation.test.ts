import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../meta/field-error.ts';
import type { PodSpec } from '../pod-types.ts';
import { setPodDefaults } from './pod-defaults.ts';
import { validatePodUpdate } from './pod-update-validation.ts';

const spec: PodSpec = {
  containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }],
  activeDeadlineSeconds: 100,
  tolerations: [{ key: 'k', operator: 'Exists' }],
};
const gated: PodSpec = { ...spec, schedulingGates: [{ name: 'a' }], nodeSelector: { disk: 'ssd' } };

function pod(podSpec: PodSpec) {
  const object = { metadata: { name: 'web' }, spec: structuredClone(podSpec) };
  setPodDefaults(object);
  return object;
}

function errorsOf(oldSpec: PodSpec, change: PodSpec): string[] {
  return validatePodUpdate(pod({ ...oldSpec, ...change }), pod(oldSpec)).map(fieldErrorText);
}

const refused = (lines: string) =>
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  `\`spec.terminationGracePeriodSeconds\` (allow it to be set to 1 if it was previously negative)\n${lines}`;

describe('validatePodUpdate', () => {
  it.each<[string, PodSpec]>([
    ['nothing', {}],
    ['an image', { containers: [{ ...spec.containers![0], image: 'web:2' }] }],
    ['an earlier deadline', { activeDeadlineSeconds: 50 }],
    ['a further toleration', { tolerations: [...spec.tolerations!, { key: 'l', operator: 'Exists' }] }],
  ])('accepts %s', (_name, change) => {
    // The default of the pull policy depended on the original image.
    const kept = change.containers?.map((container) => ({ ...container, imagePullPolicy: 'IfNotPresent' }));
    expect(errorsOf(spec, { ...change, ...(kept && { containers: kept }) })).toEqual([]);
  });

  it.each<[string, PodSpec, string]>([
    [
      'a later deadline',
      { activeDeadlineSeconds: 200 },
      'spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous value',
    ],
    [
      'no deadline',
      { activeDeadlineSeconds: undefined },
      'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    ],
    [
      'no toleration',
      { tolerations: [] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    [
      'another container',
      { containers: [...spec.containers!, { name: 'b', image: 'b:1' }] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'a new gate',
      { schedulingGates: [{ name: 'a' }] },
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'",
    ],
  ])('rejects %s', (_name, change, error) => {
    expect(errorsOf(spec, change)).toContain(error);
  });

  it('shows a diff of the immutable fields', () => {
    const [error] = errorsOf(spec, { hostname: 'other' });
    expect(error?.startsWith(refused('@@ '))).toBe(true);
    expect(error).toContain('\n- "Hostname": "",\n+ "Hostname": "other",\n');
  });

  it('accepts a narrower node selection for a gated pod', () => {
    expect(errorsOf(gated, { nodeSelector: { disk: 'ssd', zone: 'a' } })).toEqual([]);
    expect(errorsOf(gated, { nodeSelector: { disk: 'hdd' } })).toEqual([
      'spec.nodeSelector: Invalid value: {"disk":"hdd"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
  });
});
