import { expect, it } from 'vitest';
import { apiVersionOf } from '../meta/group-version.ts';
import type { Schema } from '../schema/model.ts';
import { goTypeName } from '../schema/normalize/go-type-name.ts';
import { optionalResources } from './index.ts';

/** The type of a field, or of the elements of a list. */
function typeAt(schema: Schema, [name, ...rest]: readonly string[]): string {
  if (schema.type === 'list') return typeAt(schema.items, name === undefined ? [] : [name, ...rest]);
  if (name === undefined || schema.type !== 'struct') return goTypeName(schema);
  return typeAt(schema.fields.find((field) => field.name === name)!.schema, rest);
}

it.each([
  ['resource.k8s.io/v1beta1', 'ResourceClaim', 'spec.devices.requests.allocationMode', 'v1beta1.DeviceAllocationMode'],
  [
    'resource.k8s.io/v1beta1',
    'ResourceClaim',
    'spec.devices.requests.firstAvailable.allocationMode',
    'v1beta1.DeviceAllocationMode',
  ],
  [
    'resource.k8s.io/v1beta2',
    'ResourceClaim',
    'spec.devices.requests.exactly.allocationMode',
    'v1beta2.DeviceAllocationMode',
  ],
  ['resource.k8s.io/v1alpha3', 'DeviceTaintRule', 'spec.taint.effect', 'v1alpha3.DeviceTaintEffect'],
  [
    'admissionregistration.k8s.io/v1beta1',
    'MutatingAdmissionPolicy',
    'spec.reinvocationPolicy',
    'v1beta1.ReinvocationPolicyType',
  ],
  [
    'admissionregistration.k8s.io/v1alpha1',
    'MutatingAdmissionPolicy',
    'spec.failurePolicy',
    'v1alpha1.FailurePolicyType',
  ],
  // A type that this version takes from v1.
  [
    'admissionregistration.k8s.io/v1alpha1',
    'MutatingAdmissionPolicy',
    'spec.reinvocationPolicy',
    'v1.ReinvocationPolicyType',
  ],
])('in %s, %s.%s is a %s', (apiVersion, kind, path, type) => {
  const definition = optionalResources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind)!;
  expect(typeAt(definition.schema, path.split('.'))).toBe(type);
});
