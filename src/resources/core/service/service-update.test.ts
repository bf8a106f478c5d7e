import { expect, it } from 'vitest';
import { fieldErrorText } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { ServiceSpec } from '../service-types.ts';
import { prepareServiceCreate, prepareServiceUpdate } from './service-preparation.ts';
import { validateServiceUpdate } from './service-update.ts';
import { validateService } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

const service = (spec: ServiceSpec): ResourceObject => ({
  metadata: { name: 's' },
  spec: {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    ...spec,
  },
});

const errorsOf = (next: ResourceObject, oldObject: ResourceObject) => [
  ...validateServiceUpdate(next, oldObject),
  ...validateService(next, oldObject),
];

const stored: ServiceSpec = { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ipFamilies: ['IPv4'] };
const headless: ServiceSpec = { clusterIP: 'None', clusterIPs: ['None'] };

it.each<[string, ServiceSpec, ServiceSpec, string[]]>([
  [
    'an unknown type is the only error',
    { type: 'loadbalancer' },
    stored,
    [
      'spec.type: Unsupported value: "loadbalancer": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
  [
    'a primary address is fixed',
    { ...stored, clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8'] },
    stored,
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set'],
  ],
  [
    'families of a headless service without a selector may change',
    { ...headless, ipFamilies: ['IPv4'] },
    { ...headless, ipFamilies: ['IPv6'] },
    [],
  ],
  [
    'families of a headless service with a selector are fixed',
    { ...headless, ipFamilies: ['IPv4'], selector: { a: 'b' } },
    { ...headless, ipFamilies: ['IPv6'], selector: { a: 'b' } },
    ['spec.ipFamilies[0]: Invalid value: ["IPv4"]: may not change once set'],
  ],
])('%s', (_name, next, old, errors) => {
  expect(errorsOf(service(next), service(old)).map(fieldErrorText)).toEqual(errors);
});

it.each([
  ['Cluster', undefined],
  ['Local', undefined],
  // These values are rejected.
  ['', ''],
  ['Other', 'Other'],
])('has no policy %o for traffic inside of the cluster when it is only a name', (internalTrafficPolicy, kept) => {
  const sent = () => service({ type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy });
  const created = sent();
  prepareServiceCreate(created);
  expect((created.spec as ServiceSpec).internalTrafficPolicy).toBe(kept);
  const updated = sent();
  prepareServiceUpdate(updated, service({ type: 'ExternalName', externalName: 'a.b' }));
  expect((updated.spec as ServiceSpec).internalTrafficPolicy).toBe(kept);
});

it('warns about the address of a load balancer in words of its own', () => {
  expect(serviceWarnings(service({ loadBalancerIP: '::ffff:1.2.3.4' }))).toEqual([
    'spec.loadBalancerIP: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"',
  ]);
});
