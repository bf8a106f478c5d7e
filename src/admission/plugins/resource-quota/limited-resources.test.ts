import { expect, it } from 'vitest';
import { type LimitedResource, uncoveredUsage } from './limited-resources.ts';
import { podEvaluator } from './pod-evaluator.ts';
import type { Quota } from './quota.ts';

const limited = (rest: Partial<LimitedResource>): LimitedResource => ({
  group: '',
  resource: 'pods',
  matchContains: [],
  matchScopes: [],
  ...rest,
});
const pod = {
  metadata: {},
  spec: { priorityClassName: 'high', containers: [{ resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
};
const high = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
const quota = (hard: Record<string, string>, scope?: typeof high): Quota => ({
  metadata: { name: 'q' },
  spec: scope ? { scopeSelector: { matchExpressions: [scope] } } : {},
  status: { hard },
});

it.each<[limited: Partial<LimitedResource>, quotas: Quota[], expected: string | undefined]>([
  [{}, [], undefined],
  [{ matchContains: ['cpu'] }, [], 'insufficient quota to consume: cpu,requests.cpu'],
  [{ matchContains: ['cpu'] }, [quota({ cpu: '9' })], 'insufficient quota to consume: requests.cpu'],
  [{ matchContains: ['cpu'] }, [quota({ cpu: '9' }), quota({ 'requests.cpu': '9' })], undefined],
  [{ matchContains: ['nothing'] }, [], undefined],
  [{ matchScopes: [high] }, [], 'insufficient quota to match these scopes: [{PriorityClass In [high]}]'],
  [{ matchScopes: [high] }, [quota({ pods: '9' }, high)], undefined],
  [{ matchScopes: [{ ...high, values: ['low'] }] }, [], undefined],
])('%j with %j', (rest, quotas, expected) => {
  const usage = podEvaluator.usage(pod);
  expect(uncoveredUsage([limited(rest)], { usage, object: pod, evaluator: podEvaluator, quotas })).toBe(expected);
});
