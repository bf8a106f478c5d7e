import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { ServiceSpec } from '../service-types.ts';
import { validateServiceStatus } from './load-balancer-validation.ts';
import { setServiceDefaults } from './service-defaults.ts';
import { prepareServiceUpdate } from './service-preparation.ts';
import { specOf } from './service-spec.ts';
import { validateServiceUpdate } from './service-update.ts';
import { serviceWarnings } from './service-warnings.ts';

function service(spec: ServiceSpec, status: object = { loadBalancer: {} }): ResourceObject {
  const object = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], ...spec }, status };
  setServiceDefaults(object);
  return object;
}

const balanced: ServiceSpec = {
  type: 'LoadBalancer',
  clusterIP: '10.0.0.5',
  clusterIPs: ['10.0.0.5'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  ports: [{ port: 80, nodePort: 30001 }],
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 30002,
  loadBalancerClass: 'example.com/a',
};

describe('an update', () => {
  it('keeps allocated values', () => {
    const next = service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 81 }] });
    prepareServiceUpdate(next, service(balanced));
    expect(specOf(next)).toMatchObject({
      clusterIP: '10.0.0.5',
      clusterIPs: ['10.0.0.5'],
      healthCheckNodePort: 30002,
      ports: [{ port: 81, nodePort: 30001 }],
    });
  });

  it('matches node ports by port name', () => {
    const before = service({
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1, nodePort: 30001 },
        { name: 'b', port: 2, nodePort: 30002 },
      ],
    });
    const next = service({
      type: 'NodePort',
      ports: [
        { name: 'b', port: 3 },
        { name: 'c', port: 4, nodePort: 30001 },
        { name: 'a', port: 5 },
      ],
    });
    prepareServiceUpdate(next, before);
    expect(specOf(next).ports?.map(({ nodePort }) => nodePort)).toEqual([30002, 30001, undefined]);
  });

  it.each<[string, ServiceSpec, ServiceSpec]>([
    ['that it omits', { ports: [{ port: 80 }] }, {}],
    ['that it repeats', {}, {}],
    ['of a service that already allocated none', { ports: [{ port: 80 }] }, { allocateLoadBalancerNodePorts: false }],
  ])('keeps the node ports, when it turns off their allocation, %s', (_name, change, earlier) => {
    const next = service({ ...balanced, allocateLoadBalancerNodePorts: false, ...change });
    prepareServiceUpdate(next, service({ ...balanced, ...earlier }));
    expect(specOf(next).ports?.map(({ nodePort }) => nodePort)).toEqual([30001]);
  });

  it.each<[string, ServiceSpec, readonly string[]]>([
    ['ClusterIP', { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'] }, ['ports', 'clusterIP', 'clusterIPs']],
    ['ExternalName', {}, ['ports', 'type']],
  ])('to %s drops unchanged values that no longer apply', (type, kept, fields) => {
    const before = service(balanced, { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } });
    const next = service({ ...balanced, type }, before.status as object);
    prepareServiceUpdate(next, before);
    const spec = specOf(next);
    expect(spec).toMatchObject(kept);
    expect(Object.keys(spec).filter((field) => spec[field as keyof ServiceSpec] !== undefined)).toEqual(
      expect.arrayContaining([...fields]),
    );
    expect(spec.loadBalancerClass ?? spec.healthCheckNodePort ?? spec.externalTrafficPolicy).toBeUndefined();
    expect(spec.ports?.[0]?.nodePort).toBeUndefined();
    expect(next.status).toEqual({ loadBalancer: {} });
  });

  it.each<[string, ServiceSpec, readonly string[]]>([
    ['nothing', {}, []],
    [
      'the address',
      { clusterIP: '10.0.0.6', clusterIPs: ['10.0.0.6'] },
      ['spec.clusterIPs[0]: Invalid value: ["10.0.0.6"]: may not change once set'],
    ],
    [
      'the class',
      { loadBalancerClass: 'example.com/b' },
      ['spec.loadBalancerClass: Invalid value: "example.com/b": may not change once set'],
    ],
    [
      'the health check port',
      { healthCheckNodePort: 30003 },
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
  ])('is checked when it changes %s', (_name, change, errors) => {
    const before = service(balanced);
    expect(validateServiceUpdate(service({ ...balanced, ...change }), before).map(fieldErrorText)).toEqual(errors);
  });
});

describe('a status update', () => {
  it('is validated', () => {
    const oldObject = service(balanced);
    const next = service(balanced, {
      loadBalancer: {
        ingress: [{ ip: '010.0.0.1' }, { ipMode: 'VIP', hostname: 'a_b' }, { ip: '192.0.2.1', ipMode: 'x' }],
      },
    });
    expect(validateServiceStatus(next, oldObject).map(({ field, message }) => [field, message.split(':')[0]])).toEqual([
      ['status.loadBalancer.ingress[0].ip', 'Invalid value'],
      ['status.loadBalancer.ingress[1].ipMode', 'Forbidden'],
      ['status.loadBalancer.ingress[1].hostname', 'Invalid value'],
      ['status.loadBalancer.ingress[2].ipMode', 'Unsupported value'],
    ]);
  });
});

describe('warnings', () => {
  it.each<[ServiceSpec, readonly string[]]>([
    [{}, []],
    [
      { clusterIP: 'None', externalIPs: ['192.0.2.1'], sessionAffinity: 'ClientIP', loadBalancerIP: '192.0.2.2' },
      ['loadBalancerIP', 'externalIPs', 'SessionAffinity'].map(
        (field) => `spec.${field} is ignored for headless services`,
      ),
    ],
    [{ externalName: 'x.y' }, ['spec.externalName is ignored when spec.type is not "ExternalName"']],
    [
      { trafficDistribution: 'PreferClose' },
      ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
    ],
  ])('are given for %j', (spec, expected) => {
    expect(serviceWarnings(service(spec))).toEqual(expected);
  });
});
