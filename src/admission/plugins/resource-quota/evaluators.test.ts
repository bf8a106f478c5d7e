import { describe, expect, it } from 'vitest';
import { claimEvaluator } from './claim-evaluator.ts';
import { countEvaluator } from './count-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import type { ScopeRequirement } from './quota.ts';
import { serviceEvaluator } from './service-evaluator.ts';

const object = (spec: object, rest: object = {}) => ({ metadata: { name: 'x' }, spec, ...rest });
const needs = (requests: object, limits: object = {}) => ({ name: 'c', resources: { requests, limits } });

describe('pods', () => {
  it.each<[string, object, object]>([
    ['nothing but themselves', { containers: [{ name: 'c' }] }, {}],
    [
      'the sum of their containers',
      { containers: [needs({ cpu: '1', 'ephemeral-storage': '1Gi' }, { cpu: '2' }), needs({ cpu: '500m' })] },
      {
        cpu: '1500m',
        'requests.cpu': '1500m',
        'limits.cpu': '2',
        'ephemeral-storage': '1Gi',
        'requests.ephemeral-storage': '1Gi',
      },
    ],
    [
      'what the largest of the first needs',
      { containers: [needs({ cpu: '1' })], initContainers: [needs({ cpu: '3' }), needs({ cpu: '2' })] },
      { cpu: '3', 'requests.cpu': '3' },
    ],
    [
      'sidecars beside what follows them',
      {
        containers: [needs({ cpu: '1' })],
        initContainers: [needs({ cpu: '2' }), { ...needs({ cpu: '1' }), restartPolicy: 'Always' }, needs({ cpu: '4' })],
      },
      { cpu: '5', 'requests.cpu': '5' },
    ],
    [
      'what they say as a whole',
      { containers: [needs({ cpu: '1' })], resources: { requests: { cpu: '3' } } },
      { cpu: '3', 'requests.cpu': '3' },
    ],
    [
      'the overhead of their runtime, where there is a limit',
      { containers: [needs({ memory: '1Gi' }, { cpu: '1' })], overhead: { cpu: '1', memory: '1Gi' } },
      { cpu: '1', 'requests.cpu': '1', memory: '2Gi', 'requests.memory': '2Gi', 'limits.cpu': '2' },
    ],
    [
      'pages and devices',
      { containers: [needs({ 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2', 'kubernetes.io/x': '1' })] },
      { 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' },
    ],
  ])('take %s', (_, spec, expected) => {
    expect(podEvaluator.usage(object(spec))).toEqual({ 'count/pods': '1', pods: '1', ...expected });
  });

  it('use nothing once they have terminated', () => {
    expect(podEvaluator.usage(object({}, { status: { phase: 'Failed' } }))).toEqual({ 'count/pods': '1' });
  });

  it.each<[ScopeRequirement, object, boolean]>([
    [{ scopeName: 'Terminating' }, { activeDeadlineSeconds: 0 }, true],
    [{ scopeName: 'Terminating' }, {}, false],
    [{ scopeName: 'NotTerminating' }, {}, true],
    [{ scopeName: 'BestEffort' }, { containers: [needs({ cpu: '0', 'example.com/gpu': '1' })] }, true],
    [{ scopeName: 'NotBestEffort' }, { containers: [needs({}, { memory: '1' })] }, true],
    [{ scopeName: 'PriorityClass', operator: 'Exists' }, { priorityClassName: 'a' }, true],
    [{ scopeName: 'PriorityClass', operator: 'Exists' }, {}, false],
    [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }, {}, true],
    [{ scopeName: 'PriorityClass', operator: 'In', values: ['a', 'b'] }, { priorityClassName: 'b' }, true],
    [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }, {}, false],
    [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['a'] }, {}, true],
    [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['a'] }, { priorityClassName: 'a' }, false],
    [
      { scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' },
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ namespaces: ['a'] }] } } },
      true,
    ],
    [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }, {}, false],
    [{ scopeName: 'VolumeAttributesClass', operator: 'Exists' }, {}, false],
  ])('%j holds for %j: %s', (requirement, spec, expected) => {
    expect(podEvaluator.isInScope?.(object(spec), requirement)).toBe(expected);
  });

  it('must specify limited resources in every container', () => {
    const spec = {
      containers: [
        { ...needs({ cpu: '1' }), name: 'b' },
        { ...needs({}, { memory: '1' }), name: 'a' },
      ],
    };
    const limits = ['requests.cpu', 'limits.memory', 'memory', 'pods', 'requests.ephemeral-storage'];
    expect(podEvaluator.missing?.(object(spec), limits)).toBe(
      'must specify limits.memory for: b; memory for: a,b; requests.cpu for: a',
    );
    expect(podEvaluator.missing?.(object(spec), ['pods'])).toBeUndefined();
  });

  it.each([
    ['pods', true],
    ['limits.cpu', true],
    ['requests.example.com/gpu', true],
    ['requests.hugepages-1Gi', true],
    ['requests.storage', false],
    ['services', false],
  ])('are limited by %s: %s', (name, expected) => expect(podEvaluator.concerns(name)).toBe(expected));
});

describe('services', () => {
  const ports = [{ port: 1 }, { port: 2, nodePort: 30_000 }];
  it.each([
    [{ ports }, '0', '0'],
    [{ type: 'NodePort', ports }, '2', '0'],
    [{ type: 'LoadBalancer', ports }, '2', '1'],
    [{ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }, '1', '1'],
  ])('%j take %s node ports and %s balancers', (spec, nodePorts, balancers) => {
    expect(serviceEvaluator.usage(object(spec))).toMatchObject({
      'services.nodeports': nodePorts,
      'services.loadbalancers': balancers,
    });
  });
});

describe('claims', () => {
  it('are counted for their class, in whole bytes', () => {
    const spec = { storageClassName: 'fast', resources: { requests: { storage: '1500m' } } };
    expect(claimEvaluator.usage(object(spec))).toEqual({
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '2',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'fast.storageclass.storage.k8s.io/requests.storage': '2',
    });
  });

  it('are counted by their allocated size if it is larger', () => {
    const claim = object(
      { resources: { requests: { storage: '1Gi' } } },
      { status: { allocatedResources: { storage: '2Gi' } } },
    );
    expect(claimEvaluator.usage(claim)['requests.storage']).toBe('2Gi');
  });
});

it.each([
  ['', 'secrets', ['count/secrets', 'secrets']],
  ['', 'endpoints', ['count/endpoints']],
  ['apps', 'replicasets', ['count/replicasets.apps']],
])('objects of %s/%s are counted as %j', (group, resource, names) => {
  expect(Object.keys(countEvaluator({ group, resource }).usage(object({})))).toEqual(names);
});
