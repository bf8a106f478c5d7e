import { expect, it, onTestFinished, vi } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { startServer } from '../server/index.ts';

const policiesType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};
const definitionsType = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

interface Policy extends ResourceObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly typeChecking?: { readonly expressionWarnings?: readonly { fieldRef: string; warning: string }[] };
  };
}

async function started() {
  const server = await startServer({ storage: 'memory', controllers: ['validatingadmissionpolicy-status'] });
  onTestFinished(() => server.stop());
  const policies = server.client.resource<Policy>(policiesType);
  const observed = (name: string, generation: number): Promise<Policy> =>
    vi.waitFor(async () => {
      const policy = await policies.get(name);
      expect(policy.status?.observedGeneration).toBe(generation);
      return policy;
    });
  return { client: server.client, policies, observed };
}

const policyFor = (rule: object, expression: string): Policy => ({
  metadata: { name: 'p' },
  spec: {
    matchConstraints: { resourceRules: [{ operations: ['CREATE'], ...rule }] },
    validations: [{ expression }],
  },
});
const deployments = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };

it('writes what is wrong with a policy, and that nothing is after it was mended', async () => {
  const { policies, observed } = await started();
  await policies.create(policyFor(deployments, 'object.replicas > 1'));
  const checked = await observed('p', 1);
  expect(checked.status).toEqual({
    observedGeneration: 1,
    typeChecking: {
      expressionWarnings: [
        {
          fieldRef: 'spec.validations[0].expression',
          warning:
            "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n" +
            ' | object.replicas > 1\n | ......^\n',
        },
      ],
    },
  });
  await policies.patch('p', { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } });
  const repaired = await observed('p', 2);
  expect(repaired.status?.typeChecking?.expressionWarnings).toBeUndefined();
});

it('owns the status of a policy without mistakes', async () => {
  const { policies, observed } = await started();
  await policies.create(policyFor(deployments, 'object.spec.replicas > 1'));
  const { status, metadata } = await observed('p', 1);
  expect(status).toEqual({ observedGeneration: 1, typeChecking: {} });
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'validatingadmissionpolicy-status',
      operation: 'Apply',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:observedGeneration': {}, 'f:typeChecking': {} } },
    }),
  );
});

it('knows custom kinds', async () => {
  const { client, policies, observed } = await started();
  const names = { plural: 'boats', kind: 'Boat' };
  const spec = { type: 'object', properties: { sails: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await client.resource(definitionsType).create({
    metadata: { name: 'boats.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const boats = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['boats'] };
  await policies.create(policyFor(boats, "object.spec.sails == 'many' && object.metadata.labels['a'] == 'b'"));
  const { status } = await observed('p', 1);
  expect(status?.typeChecking?.expressionWarnings?.[0]?.warning).toContain(
    "example.com/v1, Kind=Boat: ERROR: <input>:1:19: found no matching overload for '_==_' applied to '(int, string)'",
  );
});
