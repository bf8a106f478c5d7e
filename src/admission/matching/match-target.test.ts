import { describe, expect, it } from 'vitest';
import type { AdmissionOperation, AdmissionTarget } from '../admission-request.ts';
import { testTarget } from '../test-request.conformance.ts';
import type { MatchConstraints, MatchRule } from './match-constraints.ts';
import { dependsOnName, isExemptFromPolicies, isExemptFromWebhooks, matchTarget } from './match-target.ts';

const everything: MatchRule = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};

function isMatched(rule: Partial<MatchRule>, operation: AdmissionOperation, target: AdmissionTarget): boolean {
  return matchTarget({ resourceRules: [{ ...everything, ...rule }] }, operation, target) === target;
}

describe('the rules of a webhook or a policy', () => {
  it.each<[rule: Partial<MatchRule>, path: string, matches: boolean]>([
    [{}, '/pods', true],
    [{}, 'apps/deployments/scale', true],
    [{ resources: ['pods'] }, '/pods', true],
    [{ resources: ['pods'] }, '/pods/status', false],
    [{ resources: ['pods/*'] }, '/pods/status', true],
    [{ resources: ['pods/*'] }, '/pods', true],
    [{ resources: ['pods/status'] }, '/pods', false],
    [{ resources: ['pods/status'] }, '/pods/status', true],
    [{ resources: ['*'] }, '/pods', true],
    [{ resources: ['*'] }, '/pods/status', false],
    [{ resources: ['*/scale'] }, 'apps/deployments/scale', true],
    [{ resources: ['*/scale'] }, 'apps/deployments', false],
    [{ resources: ['services', 'pods'] }, '/pods', true],
    [{ resources: [] }, '/pods', false],
    [{ apiGroups: [''] }, '/pods', true],
    [{ apiGroups: [''] }, 'apps/deployments', false],
    [{ apiGroups: ['apps', 'batch'] }, 'batch/jobs', true],
    [{ apiVersions: ['v1'] }, 'apps/deployments', true],
    [{ apiVersions: ['v2'] }, 'apps/deployments', false],
    [{ operations: ['UPDATE'] }, '/pods', false],
    [{ operations: ['UPDATE', 'CREATE'] }, '/pods', true],
    [{ operations: undefined }, '/pods', false],
  ])('%j: a create at %s matches: %s', (rule, path, matches) => {
    expect(isMatched(rule, 'CREATE', testTarget(path))).toBe(matches);
  });

  it.each<[scope: string | undefined, namespaced: boolean, matches: boolean]>([
    [undefined, true, true],
    [undefined, false, true],
    ['*', true, true],
    ['*', false, true],
    ['Namespaced', true, true],
    ['Namespaced', false, false],
    ['Cluster', true, false],
    ['Cluster', false, true],
  ])('have scope %s, and a type that is namespaced: %s matches: %s', (scope, namespaced, matches) => {
    expect(isMatched({ scope }, 'CREATE', { ...testTarget('/things'), namespaced })).toBe(matches);
  });

  it('match everything when there are none', () => {
    const target = testTarget('/pods/exec');
    expect(matchTarget({}, 'CONNECT', target)).toBe(target);
  });
});

/** The same objects in two versions and a second group. */
function equivalents(): [one: AdmissionTarget, two: AdmissionTarget, other: AdmissionTarget] {
  const targets: AdmissionTarget[] = [];
  const make = (path: string, version: string): AdmissionTarget => {
    const target = testTarget(path);
    return {
      ...target,
      resource: { ...target.resource, version },
      objects: { ...target.objects, equivalents: () => targets },
    };
  };
  targets.push(make('a/things', 'v1'), make('a/things', 'v2'), make('b/things', 'v1'));
  return targets as [AdmissionTarget, AdmissionTarget, AdmissionTarget];
}

describe('equivalent versions', () => {
  const [one, two, other] = equivalents();
  const rule = (group: string, version: string): MatchRule => ({
    ...everything,
    apiGroups: [group],
    apiVersions: [version],
  });
  it.each<[name: string, constraints: MatchConstraints, matched: AdmissionTarget | undefined]>([
    ['do not count when the policy is Exact', { matchPolicy: 'Exact', resourceRules: [rule('a', 'v2')] }, undefined],
    ['do not count without a policy', { resourceRules: [rule('a', 'v2')] }, undefined],
    ['match', { matchPolicy: 'Equivalent', resourceRules: [rule('a', 'v2')] }, two],
    ['match in another group', { matchPolicy: 'Equivalent', resourceRules: [rule('b', 'v1')] }, other],
    [
      'match in order of the rules',
      { matchPolicy: 'Equivalent', resourceRules: [rule('b', '*'), rule('a', 'v2')] },
      other,
    ],
    [
      'give way to the version itself',
      { matchPolicy: 'Equivalent', resourceRules: [rule('a', 'v2'), rule('a', 'v1')] },
      one,
    ],
    ['match only rules', { matchPolicy: 'Equivalent', resourceRules: [rule('c', '*')] }, undefined],
    [
      'are excluded',
      { matchPolicy: 'Equivalent', resourceRules: [everything], excludeResourceRules: [rule('b', 'v1')] },
      undefined,
    ],
    [
      'are not excluded when the policy is Exact',
      { matchPolicy: 'Exact', resourceRules: [everything], excludeResourceRules: [rule('b', 'v1')] },
      one,
    ],
  ])('%s', (_name, constraints, matched) => {
    expect(matchTarget(constraints, 'UPDATE', one)).toBe(matched);
  });
});

describe('rules with names', () => {
  const target = testTarget('/pods');
  const named: MatchRule = { ...everything, resourceNames: ['a', 'b'] };
  it.each<[constraints: MatchConstraints, name: string | undefined, matches: boolean]>([
    [{ resourceRules: [named] }, 'a', true],
    [{ resourceRules: [named] }, 'c', false],
    [{ resourceRules: [named] }, '', false],
    [{ resourceRules: [named] }, undefined, true],
    [{ resourceRules: [everything], excludeResourceRules: [named] }, 'a', false],
    [{ resourceRules: [everything], excludeResourceRules: [named] }, 'c', true],
    [{ resourceRules: [everything], excludeResourceRules: [named] }, undefined, true],
    [{ resourceRules: [everything], excludeResourceRules: [everything] }, undefined, false],
  ])('%j: %s matches: %s', (constraints, name, matches) => {
    expect(matchTarget(constraints, 'CREATE', target, name)).toBe(matches ? target : undefined);
  });

  it('are known', () => {
    expect(dependsOnName({ resourceRules: [everything] })).toBe(false);
    expect(dependsOnName({ resourceRules: [named] })).toBe(true);
    expect(dependsOnName({ excludeResourceRules: [named] })).toBe(true);
  });
});

describe('what is exempt', () => {
  const configuration = 'admissionregistration.k8s.io';
  it.each([
    [`${configuration}/validatingadmissionpolicies`, true, true],
    [`${configuration}/mutatingadmissionpolicybindings`, true, true],
    [`${configuration}/validatingwebhookconfigurations`, true, false],
    [`${configuration}/mutatingwebhookconfigurations`, true, false],
    ['authentication.k8s.io/tokenreviews', false, true],
    ['authentication.k8s.io/selfsubjectreviews', false, true],
    ['authorization.k8s.io/subjectaccessreviews', false, true],
    ['authorization.k8s.io/localsubjectaccessreviews', false, true],
    ['authorization.k8s.io/selfsubjectaccessreviews', false, true],
    ['authorization.k8s.io/selfsubjectrulesreviews', false, true],
    [`${configuration}/things`, false, false],
    ['example.com/mutatingwebhookconfigurations', false, false],
    ['example.com/tokenreviews', false, false],
  ])('%s is exempt from webhooks: %s, from policies: %s', (path, fromWebhooks, fromPolicies) => {
    const target = testTarget(path, 'Thing');
    expect(isExemptFromWebhooks(target)).toBe(fromWebhooks);
    expect(isExemptFromPolicies(target)).toBe(fromPolicies);
  });
});
