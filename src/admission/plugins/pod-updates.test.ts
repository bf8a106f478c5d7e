import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { podResizeValidator } from './pod-resize-validator.ts';

const resize = testTarget('/pods/resize', 'Pod');
const nodeOf = (node: Partial<ResourceObject> | undefined): ObjectReader => ({
  get: (_type, { name }) => node && { ...node, metadata: { ...node.metadata, name } },
  list: () => [],
});

interface Pod {
  readonly requests?: Record<string, string>;
  readonly podRequests?: Record<string, string>;
  readonly nodeName?: string;
  readonly qosClass?: string;
}

const pod = (generation: number, { requests = {}, podRequests, nodeName = 'n', qosClass }: Pod) => ({
  metadata: { name: 'p', generation },
  spec: {
    nodeName,
    containers: [{ name: 'c', resources: { requests } }],
    ...(podRequests && { resources: { requests: podRequests } }),
  },
  status: { qosClass },
});

async function refusal(plugin: AdmissionPlugin, objects: ObjectReader, [before, after]: Pod[], generation = 2) {
  const request = { operation: 'UPDATE', object: pod(generation, after!), oldObject: pod(1, before!) } as const;
  try {
    await plugin.validate!(testRequest(resize, request), objects);
    return '';
  } catch (error) {
    return (error as Error).message.replace('pods "p" is forbidden: ', '').replace('pods "a" is forbidden: ', '');
  }
}

describe('PodResizeValidator', () => {
  const linux = { metadata: { labels: { 'kubernetes.io/os': 'linux' } } };
  const node = { ...linux, status: { allocatable: { cpu: '2', memory: '1Gi' } } };
  const check = (found: Partial<ResourceObject> | undefined, after: Pod, generation = 2): Promise<string> =>
    refusal(podResizeValidator, nodeOf(found), [{}, after], generation);

  it.each<[node: Partial<ResourceObject> | undefined, after: Pod, message: string]>([
    [node, { requests: { cpu: '2', memory: '1Gi' } }, ''],
    [
      node,
      { requests: { cpu: '2001m', memory: '2Gi' } },
      "Node didn't have enough allocatable resources: cpu, requested: 2001, allocatable: 2000; memory, requested: 2147483648, allocatable: 1073741824",
    ],
    [
      linux,
      { requests: { cpu: '1m' } },
      "Node didn't have enough allocatable resources: cpu, requested: 1, allocatable: 0",
    ],
    [undefined, {}, 'node "n" not found'],
    [{ ...node, metadata: {} }, {}, 'pod resize is only supported on linux nodes, node "n" is ""'],
    [undefined, { nodeName: '' }, ''],
  ])('%j and %j', async (found, after, message) => {
    expect(await check(found, after)).toBe(message);
  });

  it('does not look at updates that change no spec', async () => {
    expect(await check(undefined, {}, 1)).toBe('');
  });
});

describe('NodeDeclaredFeatureValidator', () => {
  const cpu = (amount: string): Pod => ({ requests: { cpu: amount }, qosClass: 'Guaranteed' });
  const declares = (...declaredFeatures: string[]): ObjectReader => nodeOf({ status: { declaredFeatures } });

  it.each<[pods: Pod[], node: ObjectReader, message: string]>([
    [[cpu('1'), cpu('1')], declares(), ''],
    [[cpu('1'), cpu('1000m')], declares(), ''],
    [
      [cpu('1'), cpu('2')],
      declares('Other'),
      'pod update requires features GuaranteedQoSPodCPUResize which are not available on node "n"',
    ],
    [[cpu('1'), cpu('2')], declares('GuaranteedQoSPodCPUResize'), ''],
    [[{ ...cpu('1'), qosClass: 'Burstable' }, cpu('2')], declares(), ''],
    [
      [{}, { podRequests: { cpu: '1' } }],
      declares(),
      'pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "n"',
    ],
    [[{}, { podRequests: { cpu: '1' } }], declares('InPlacePodLevelResourcesVerticalScaling'), ''],
    [[cpu('1'), cpu('2')], nodeOf(undefined), 'node "n" not found'],
    [[cpu('1'), { ...cpu('2'), nodeName: '' }], declares(), ''],
  ])('%j', async (pods, node, message) => {
    expect(await refusal(nodeDeclaredFeatureValidator, node, pods)).toBe(message);
  });
});
