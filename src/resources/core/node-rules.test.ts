import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { nodeRules } from './node-rules.ts';

const metadata = { name: 'n' };

describe('defaults of a node', () => {
  it.each([
    [{ podCIDR: 'a' }, { podCIDR: 'a', podCIDRs: ['a'] }],
    [{ podCIDRs: ['a', 'b'] }, { podCIDR: 'a', podCIDRs: ['a', 'b'] }],
    [
      { podCIDR: 'b', podCIDRs: ['a', 'b'] },
      { podCIDR: 'b', podCIDRs: ['b'] },
    ],
    [
      { podCIDR: 'a', podCIDRs: ['a', 'b'] },
      { podCIDR: 'a', podCIDRs: ['a', 'b'] },
    ],
    [{}, {}],
  ])('pod CIDRs of %j', (spec, expected) => {
    const node: ResourceObject = { metadata, spec };
    nodeRules.setDefaults!(node);
    expect(node.spec).toEqual(expected);
  });

  it.each([
    [{ capacity: { cpu: '1500u' } }, { capacity: { cpu: '2m' }, allocatable: { cpu: '2m' } }],
    [
      { capacity: { cpu: '1' }, allocatable: { pods: '1' } },
      { capacity: { cpu: '1' }, allocatable: { pods: '1' } },
    ],
    [{}, {}],
  ])('resources of %j', (status, expected) => {
    const node: ResourceObject = { metadata, status };
    nodeRules.setDefaults!(node);
    expect(node.status).toEqual(expected);
  });
});

describe('an update of a node', () => {
  const onlyOnce = (field: string) => `Forbidden: node updates may not change ${field} except from "" to valid`;
  const oldObject = { metadata, spec: { podCIDRs: ['10.0.0.0/24', 'fd00::/64'], providerID: 'a' } };

  it.each([
    ['as it was', oldObject.spec, []],
    ['without its ranges', { providerID: 'a' }, [`spec.podCIDRs: ${onlyOnce('podCIDR')}`]],
    [
      'with other ranges',
      { ...oldObject.spec, podCIDRs: ['10.0.1.0/24', 'fd01::/64'] },
      [`spec.podCIDRs: ${onlyOnce('podCIDR')}`, `spec.podCIDRs: ${onlyOnce('podCIDR')}`],
    ],
    ['of another provider', { ...oldObject.spec, providerID: 'b' }, [`spec.providerID: ${onlyOnce('providerID')}`]],
    [
      'of another name outside',
      { ...oldObject.spec, externalID: 'x' },
      ['spec.externalID: Forbidden: may not be updated'],
    ],
    [
      'with a wrong taint, which is told twice',
      { ...oldObject.spec, taints: [{ key: 'a' }] },
      ['metadata.taints[0].effect: Required value', 'metadata.taints[0].effect: Required value'],
    ],
  ])('%s', (_about, spec, errors) => {
    const next = { metadata, spec };
    const found = [...nodeRules.validate!(next, oldObject), ...nodeRules.validateUpdate!(next, oldObject)];
    expect(found.map(fieldErrorText)).toEqual(errors);
  });

  it('validates the status, too', () => {
    const status = {
      capacity: { cpu: '-1' },
      allocatable: { pods: '500m' },
      addresses: [
        { type: 'InternalIP', address: '192.0.2.1' },
        { type: 'Hostname', address: '192.0.2.1' },
        { type: 'InternalIP', address: '192.0.2.1' },
      ],
      declaredFeatures: ['A', 'A', 'B/c', 'A', 'd'],
    };
    expect(nodeRules.validateStatus!({ ...oldObject, status }, oldObject).map(fieldErrorText)).toEqual([
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.allocatable.pods: Invalid value: "500m": must be an integer',
      'status.declaredFeatures[1]: Duplicate value: "A"',
      'status.declaredFeatures[3]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[4]: Invalid value: "d": invalid feature name "d": must start with an UpperCamelCase segment, with subsequent segments separated by \'/\' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes',
      'status.addresses[2]: Duplicate value: {"Type":"InternalIP","Address":"192.0.2.1"}',
    ]);
  });

  it('keeps the fields of dynamic kubelet configuration only if they were set before', () => {
    const next = { metadata, spec: { configSource: {} }, status: { config: {} } } as ResourceObject;
    nodeRules.prepareUpdate!(next, { metadata, spec: { configSource: {} } });
    nodeRules.prepareStatusUpdate!(next, { metadata, status: { config: {} } });
    expect(next).toEqual({ metadata, spec: { configSource: {} }, status: { config: {} } });
    nodeRules.prepareUpdate!(next, { metadata, spec: {} });
    nodeRules.prepareStatusUpdate!(next, { metadata, status: {} });
    expect(next).toEqual({ metadata, spec: {}, status: {} });
  });

  it('warns about unused fields and about CIDRs with host bits', () => {
    const spec = { externalID: 'x', podCIDRs: ['10.0.0.1/24'] };
    expect(nodeRules.warnings!({ metadata, spec }, undefined)).toEqual([
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
      'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
    ]);
  });
});
