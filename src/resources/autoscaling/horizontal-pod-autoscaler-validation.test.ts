import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { autoscalerRules, autoscalerV1Rules } from './horizontal-pod-autoscaler-rules.ts';

type Target = readonly [kind: string, apiVersion: string];

function autoscaler([kind, apiVersion]: Target): ResourceObject {
  return { metadata: { name: 'h' }, spec: { scaleTargetRef: { kind, name: 't', apiVersion }, maxReplicas: 3 } };
}

const noGroup = 'apiVersion must specify API group';
const misshapen = 'unexpected GroupVersion string: a/b/c';

describe.each([
  ['v2', autoscalerRules],
  ['v1', autoscalerV1Rules],
])('the target of an autoscaler in %s', (_version, rules) => {
  it.each<[Target, string | undefined]>([
    [['Deployment', 'apps/v1'], undefined],
    [['ReplicationController', 'v1'], undefined],
    [['ReplicationController', ''], undefined],
    [['ReplicationController', 'a/b/c'], misshapen],
    [['Deployment', 'v1'], noGroup],
    [['Deployment', ''], noGroup],
    [['Pod', 'v1'], noGroup],
  ])('%j of a new one: %s', (target, problem) => {
    const errors = rules.validate(autoscaler(target));
    expect(errors.map(({ field, message }) => [field, message])).toEqual(
      problem === undefined ? [] : [['spec.scaleTargetRef.apiVersion', expect.stringContaining(problem)]],
    );
  });

  it.each<[Target, Target, string | undefined]>([
    [['Deployment', 'v1'], ['Deployment', 'v1'], undefined],
    [['Deployment', 'a/b/c'], ['Deployment', 'a/b/c'], undefined],
    [['Deployment', 'v1'], ['StatefulSet', 'v1'], noGroup],
    [['Deployment', 'apps/v1'], ['Deployment', 'v1'], noGroup],
    [['Deployment', 'a/b/c'], ['Deployment', 'v1'], noGroup],
    [['ReplicationController', 'v1'], ['Deployment', 'v1'], noGroup],
    [['Deployment', 'apps/v1'], ['ReplicationController', 'v1'], undefined],
  ])('from %j to %j: %s', (old, next, problem) => {
    const errors = rules.validateUpdate(autoscaler(next), autoscaler(old));
    expect(errors.map(({ message }) => message)).toEqual(
      problem === undefined ? [] : [expect.stringContaining(problem)],
    );
  });
});
