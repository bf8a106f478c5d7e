import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceRequirements } from '../resource-requirement-types.ts';
import { qualityOfService } from './quality-of-service.ts';

const one = { cpu: '1', memory: '1Gi' };
const same: ResourceRequirements = { limits: one, requests: one };
const pod = (...resources: ResourceRequirements[]): PodSpec => ({
  containers: resources.map((each) => ({ resources: each })),
});

describe('qualityOfService', () => {
  it.each<[string, PodSpec, string]>([
    ['nothing asked for', pod({}), 'BestEffort'],
    ['only other resources', pod({ limits: { 'example.com/gpu': '1' } }), 'BestEffort'],
    ['only zeros', pod({ requests: { cpu: '0' } }), 'BestEffort'],
    ['a request', pod({ requests: { cpu: '1' } }), 'Burstable'],
    ['one resource limited', pod({ limits: { cpu: '1' }, requests: { cpu: '1' } }), 'Burstable'],
    ['all limited', pod(same, same), 'Guaranteed'],
    ['one container without limits', pod(same, {}), 'Burstable'],
    ['requests below limits', pod({ limits: one, requests: { ...one, cpu: '500m' } }), 'Burstable'],
    [
      'the same amount in other words',
      pod({ limits: one, requests: { cpu: '1000m', memory: '1024Mi' } }),
      'Guaranteed',
    ],
    ['an init container without limits', { ...pod(same), initContainers: [{}] }, 'Burstable'],
    ['resources of the pod itself', { ...pod({}), resources: same }, 'Guaranteed'],
  ])('%s: %#', (_name, spec, expected) => {
    expect(qualityOfService(spec)).toBe(expected);
  });
});
