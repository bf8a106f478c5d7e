import { expect } from 'vitest';
import type { TestApi } from './api.ts';

const group = '/apis/admissionregistration.k8s.io/v1';

/** Returns a rule of a policy for creates in the core group, unless other fields are given. */
export const ruleFor = (resources: readonly string[], rule: object = {}) => ({
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources,
  ...rule,
});

export const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
export const jsonPatch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

interface BoundPolicy {
  readonly rules: readonly object[];
  readonly mutations: readonly object[];
  /** Additional fields of the policy. */
  readonly policy?: object;
  /** Additional fields of the binding. */
  readonly binding?: object;
}

/** Creates a namespace and a policy that applies only there. Both have this name. */
export async function bindPolicy(api: TestApi, name: string, bound: BoundPolicy): Promise<void> {
  await api.post('/api/v1/namespaces', { metadata: { name } });
  await addPolicy(api, { name, namespace: name }, bound);
}

/** Creates a policy that applies in one namespace. */
export async function addPolicy(
  api: TestApi,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  { rules, mutations, policy = {}, binding = {} }: BoundPolicy,
): Promise<void> {
  const created = await api.post(`${group}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, mutations, reinvocationPolicy: 'Never', ...policy },
  });
  expect(created.body).toMatchObject({ metadata: { name } });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const matched = await api.post(`${group}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, matchResources: { namespaceSelector }, ...binding },
  });
  expect(matched.body).toMatchObject({ metadata: { name } });
}
