import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../pod-types.ts';
import { podWarnings } from './pod-warnings.ts';

describe('podWarnings', () => {
  it.each<[string, string[]]>([
    [
      'beta.kubernetes.io/os',
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    ['kubernetes.io/os', []],
    // A name that every JavaScript object has is not a deprecated label.
    ['constructor', []],
  ])('reports a deprecated label in the node selector: %s', (key, warnings) => {
    const spec: PodSpec = { nodeSelector: { [key]: 'x' } };
    expect(podWarnings({ metadata: { name: 'web' }, spec }, undefined)).toEqual(warnings);
  });
});
