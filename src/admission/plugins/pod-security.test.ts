import { describe, expect, it } from 'vitest';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { noPolicy, type SecurityLevel, type SecurityPolicy } from './pod-security/security-policy.ts';
import { type PodSecurityConfiguration, podSecurity } from './pod-security.ts';

const standard = (level: SecurityLevel) => ({ level, version: 'latest' });
const configured = (
  defaults: Partial<SecurityPolicy>,
  exemptions: Partial<PodSecurityConfiguration['exemptions']> = {},
): PodSecurityConfiguration => ({
  defaults: { ...noPolicy, ...defaults },
  exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set(), ...exemptions },
});

const namespace: ObjectReader = { get: () => ({ metadata: { name: 'ns' } }), list: () => [] };
const spec = { hostNetwork: true, runtimeClassName: 'r', containers: [{ name: 'c', image: 'i' }] };
const detail = 'host namespaces (hostNetwork=true)';

/** Returns the result, the warnings and the audit annotations of the plugin. */
async function judge(configuration: PodSecurityConfiguration, request: Partial<AdmissionRequest> = {}, path = '/pods') {
  const said: string[] = [];
  const made = testRequest(testTarget(path), {
    object: { metadata: { name: 'a' }, spec: path === '/pods' ? spec : { template: { spec } } },
    warn: (text) => void said.push(`warning ${text}`),
    annotate: (key, value) => void said.push(`${key.replace('pod-security.kubernetes.io/', '')}=${value}`),
    ...request,
  });
  try {
    await podSecurity(configuration).validate!(made, namespace);
  } catch (error) {
    said.push((error as Error).message);
  }
  return said;
}

it.each<[defaults: Partial<SecurityPolicy>, path: string, expected: string[]]>([
  [{}, '/pods', ['enforce-policy=privileged:latest']],
  [
    { enforce: standard('baseline') },
    '/pods',
    ['enforce-policy=baseline:latest', `pods "a" is forbidden: violates PodSecurity "baseline:latest": ${detail}`],
  ],
  [
    { audit: standard('baseline') },
    '/pods',
    ['enforce-policy=privileged:latest', `audit-violations=would violate PodSecurity "baseline:latest": ${detail}`],
  ],
  [
    { warn: standard('baseline') },
    '/pods',
    ['enforce-policy=privileged:latest', `warning would violate PodSecurity "baseline:latest": ${detail}`],
  ],
  [
    { enforce: standard('baseline'), audit: standard('baseline'), warn: standard('baseline') },
    'apps/deployments',
    [
      `audit-violations=would violate PodSecurity "baseline:latest": ${detail}`,
      `warning would violate PodSecurity "baseline:latest": ${detail}`,
    ],
  ],
])('the defaults %j apply to %s', async (defaults, path, expected) => {
  expect(await judge(configured(defaults), {}, path)).toEqual(expected);
});

describe('an exemption', () => {
  it.each<[exemptions: Partial<PodSecurityConfiguration['exemptions']>, kind: string]>([
    [{ usernames: new Set(['system:apiserver']) }, 'user'],
    [{ namespaces: new Set(['ns']) }, 'namespace'],
    [{ runtimeClasses: new Set(['r']) }, 'runtimeClass'],
  ])('%j admits and records it', async (exemptions, kind) => {
    expect(await judge(configured({ enforce: standard('restricted') }, exemptions))).toEqual([`exempt=${kind}`]);
  });

  it('makes the labels of an exempt namespace meaningless', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
    const object = { metadata: { name: 'ns', labels } };
    const configuration = configured({}, { namespaces: new Set(['ns']) });
    const policy = 'enforce=baseline:latest, audit=baseline:latest, warn=baseline:latest';
    const warning = `warning namespace "ns" is exempt from Pod Security, and the policy (${policy}) will be ignored`;
    expect(await judge(configuration, { object }, '/namespaces')).toEqual([warning]);
    expect(await judge(configuration, { object, oldObject: object }, '/namespaces')).toEqual([]);
    expect(await judge(configured({}), { object }, '/namespaces')).toEqual([]);
  });
});
