import { expect } from 'vitest';
import type { TestApi } from './api.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
export const policiesPath = `${group}/validatingadmissionpolicies`;
export const bindingsPath = `${group}/validatingadmissionpolicybindings`;

/** Returns a rule for a resource, given as `group/plural[/subresource]`, for example `/pods`. */
export function ruleFor(path: string, operations: readonly string[] = ['CREATE', 'UPDATE']): object {
  const [apiGroup = '', ...resource] = path.split('/');
  return { operations, apiGroups: [apiGroup], apiVersions: ['*'], resources: [resource.join('/')] };
}

interface EnforcedPolicy {
  readonly name: string;
  readonly rules: readonly object[];
  /** Additional fields of the policy. */
  readonly spec: object;
  /** Additional fields of the binding. */
  readonly binding?: object;
}

/** Creates a policy and its binding with the same name. It denies, unless the binding has another action. */
export async function enforce(api: TestApi, { name, rules, spec, binding }: EnforcedPolicy): Promise<void> {
  const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules: rules }, ...spec } };
  await created(api, policiesPath, policy);
  await created(api, bindingsPath, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
}

export async function created(api: TestApi, path: string, object: object): Promise<void> {
  const { status, body } = await api.post(path, object);
  expect(status, body.message).toBe(200);
}

/** Creates a namespace and returns a selector for it. */
export async function ownNamespace(api: TestApi, name: string) {
  await created(api, '/api/v1/namespaces', { metadata: { name } });
  const matchResources = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } };
  return { matchResources, path: (plural: string) => `/api/v1/namespaces/${name}/${plural}` };
}

/** Returns the message of a policy that denies. */
export function deniedBy(policy: string, detail: string): string {
  return `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${detail}`;
}
