import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../meta/field-error.ts';
import type { ServiceSpec } from '../resources/core/service-types.ts';
import type { AddressFamily } from './address-family.ts';
import { assignFamilies } from './ip-families.ts';

const single: AddressFamily[] = ['IPv4'];
const dual: AddressFamily[] = ['IPv4', 'IPv6'];

interface Case {
  readonly name: string;
  readonly families: readonly AddressFamily[];
  readonly spec: ServiceSpec;
  readonly before?: ServiceSpec;
  readonly settled?: Pick<ServiceSpec, 'ipFamilies' | 'ipFamilyPolicy'>;
  readonly errors?: readonly string[];
}

const both = { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5', 'fd00::5'], ipFamilies: ['IPv4', 'IPv6'] };

const cases: Case[] = [
  { name: 'nothing said', families: dual, spec: {}, settled: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' } },
  {
    name: 'a preference where there are two',
    families: dual,
    spec: { ipFamilyPolicy: 'PreferDualStack' },
    settled: { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' },
  },
  {
    name: 'a preference where there is one',
    families: single,
    spec: { ipFamilyPolicy: 'PreferDualStack' },
    settled: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' },
  },
  {
    name: 'the other family first',
    families: dual,
    spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
    settled: { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
  },
  {
    name: 'the family of the address',
    families: dual,
    spec: { clusterIP: 'fd00::5', clusterIPs: ['fd00::5'] },
    settled: { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
  },
  {
    name: 'headless for whoever makes the endpoints',
    families: single,
    spec: { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv6'] },
    settled: { ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
  },
  {
    name: 'two families without a policy',
    families: dual,
    spec: { ipFamilies: ['IPv4', 'IPv6'] },
    errors: [
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
  },
  {
    name: 'what the cluster does not have',
    families: single,
    spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
    errors: [
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
  },
  {
    name: 'back to a single stack',
    families: dual,
    before: { ...both, ipFamilyPolicy: 'RequireDualStack' },
    spec: { ...both, ipFamilyPolicy: 'SingleStack' },
    settled: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  },
  {
    name: 'less without asking for it',
    families: dual,
    before: { ...both, ipFamilyPolicy: 'RequireDualStack' },
    spec: { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ipFamilies: ['IPv4'] },
    errors: [
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be \'SingleStack\' to release the secondary cluster IP',
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be \'SingleStack\' to release the secondary IP family',
    ],
  },
];

describe('settleFamilies', () => {
  it.each(cases)('$name', ({ families, spec, before, settled, errors = [] }) => {
    const object = { type: 'ClusterIP', ...spec };
    const found = assignFamilies(object, before && { type: 'ClusterIP', ...before }, families);
    expect(found.map(fieldErrorText)).toEqual(errors);
    if (settled !== undefined) expect(object).toMatchObject(settled);
  });

  it('ignores services of type ExternalName', () => {
    const spec = { type: 'ExternalName' };
    expect(assignFamilies(spec, undefined, dual)).toEqual([]);
    expect(spec).toEqual({ type: 'ExternalName' });
  });
});
