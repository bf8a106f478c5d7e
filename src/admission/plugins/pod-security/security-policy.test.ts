import { expect, it } from 'vitest';
import {
  isTightened,
  policyText,
  type SecurityLevel,
  securityLabelErrors,
  securityPolicy,
  standardName,
} from './security-policy.ts';

const labels = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));

it.each([
  [{}, 'privileged:latest', 'privileged:latest'],
  [{ enforce: 'baseline' }, 'baseline:latest', 'baseline:latest'],
  [{ enforce: 'baseline', 'enforce-version': 'v1.25' }, 'baseline:v1.25', 'baseline:v1.25'],
  [{ enforce: 'baseline', 'warn-version': 'v1.30' }, 'baseline:latest', 'baseline:v1.30'],
  [{ enforce: 'restricted', warn: 'privileged' }, 'restricted:latest', 'privileged:latest'],
  [{ enforce: 'nonsense' }, 'restricted:latest', 'privileged:latest'],
  [{ warn: 'nonsense', 'enforce-version': 'nonsense' }, 'privileged:latest', 'privileged:latest'],
])('%j enforces %s and warns for %s', (given, enforced, warned) => {
  const { enforce, warn } = securityPolicy(labels(given));
  expect([standardName(enforce), standardName(warn)]).toEqual([enforced, warned]);
});

it.each([
  [{}, 'enforce=baseline:v1.30, warn=restricted:latest'],
  [{ enforce: 'privileged' }, 'warn=restricted:latest'],
  [{ enforce: 'restricted' }, 'enforce=restricted:v1.30, audit=restricted:v1.30, warn=restricted:latest'],
  [
    { 'warn-version': 'v1.31', audit: 'baseline' },
    'enforce=baseline:v1.30, audit=baseline:latest, warn=restricted:v1.31',
  ],
])('%j completes the defaults to %s', (given, expected) => {
  const standard = (level: SecurityLevel, version = 'latest') => ({ level, version });
  const defaults = {
    enforce: standard('baseline', 'v1.30'),
    audit: standard('privileged'),
    warn: standard('restricted'),
  };
  expect(policyText(securityPolicy(labels(given), defaults))).toBe(expected);
});

it('reports invalid labels', () => {
  const wrong = labels({ 'warn-version': 'v2.1', audit: 'x', enforce: '', 'enforce-version': 'v1.01' });
  expect(securityLabelErrors(wrong).map(({ field }) => field)).toEqual([
    'metadata.labels[pod-security.kubernetes.io/enforce]',
    'metadata.labels[pod-security.kubernetes.io/enforce-version]',
    'metadata.labels[pod-security.kubernetes.io/audit]',
    'metadata.labels[pod-security.kubernetes.io/warn-version]',
  ]);
});

it.each([
  ['baseline', 'latest', 'privileged', 'latest', true],
  ['baseline', 'latest', 'restricted', 'latest', false],
  ['baseline', 'latest', 'restricted', 'v1.25', true],
  ['privileged', 'v1.25', 'restricted', 'latest', false],
] as const)('%s:%s after %s:%s is tighter: %s', (level, version, before, old, expected) => {
  expect(isTightened({ level, version }, { level: before, version: old })).toBe(expected);
});
