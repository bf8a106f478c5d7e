import { describe, expect, it } from 'vitest';
import { apiVersionOf } from '../meta/group-version.ts';
import { builtInResources, optionalResources } from '../resources/index.ts';
import { applyRuntimeConfig } from './runtime-config.ts';

const available = { byDefault: builtInResources, onRequest: optionalResources };
const served = (text: string): string[] => [
  ...new Set(applyRuntimeConfig(available, text).map((definition) => apiVersionOf(definition))),
];
const resources = (text: string, apiVersion: string): string[] =>
  applyRuntimeConfig(available, text)
    .filter((definition) => apiVersionOf(definition) === apiVersion)
    .map(({ resource }) => resource)
    .toSorted();
const all = served('');

const beta = [
  'admissionregistration.k8s.io/v1beta1',
  'certificates.k8s.io/v1beta1',
  'coordination.k8s.io/v1beta1',
  'networking.k8s.io/v1beta1',
  'resource.k8s.io/v1beta1',
  'resource.k8s.io/v1beta2',
  'storage.k8s.io/v1beta1',
  'storagemigration.k8s.io/v1beta1',
];
const alpha = [
  'admissionregistration.k8s.io/v1alpha1',
  'certificates.k8s.io/v1alpha1',
  'coordination.k8s.io/v1alpha2',
  'internal.apiserver.k8s.io/v1alpha1',
  'resource.k8s.io/v1alpha3',
  'scheduling.k8s.io/v1alpha2',
];

describe('applyRuntimeConfig', () => {
  it('changes nothing by default', () => {
    expect(applyRuntimeConfig(available, '')).toEqual(builtInResources);
    expect(served('api/ga=true')).toEqual(all);
    expect(served('apps/v1')).toEqual(all);
    expect(served('api/beta=false,api/alpha=false')).toEqual(all);
  });

  it.each([
    ['api/all=true', [...alpha, ...beta]],
    ['api/beta=true', beta],
    ['api/alpha', alpha],
    ['api/beta=true,resource.k8s.io/v1beta1=false', beta.filter((version) => version !== 'resource.k8s.io/v1beta1')],
    ['resource.k8s.io/v1alpha3=true', ['resource.k8s.io/v1alpha3']],
    ['api/all=true,api/beta=false', alpha],
  ])('enables resources that are off by default: %s', (text, added) => {
    expect(served(text).toSorted()).toEqual([...all, ...added].toSorted());
  });

  it('enables single resources', () => {
    const one = 'resource.k8s.io/v1beta2/resourceclaims=true';
    expect(resources(one, 'resource.k8s.io/v1beta2')).toEqual(['resourceclaims']);
    const allButOne = 'resource.k8s.io/v1alpha3/devicetaintrules=false,resource.k8s.io/v1alpha3=true';
    expect(resources(allButOne, 'resource.k8s.io/v1alpha3')).toEqual(['resourcepoolstatusrequests']);
    expect(resources('batch/v1/cronjobs=false', 'batch/v1')).toEqual(['jobs']);
    expect(resources('api/v1/events=true', 'v1')).toEqual(resources('', 'v1'));
  });

  it('disables a group version', () => {
    expect(served('apps/v1=false')).toEqual(all.filter((version) => version !== 'apps/v1'));
    expect(served(' apps/v1=false , batch/v1=false,')).not.toContain('batch/v1');
  });

  it('prefers a setting of a version over its class, in any order', () => {
    for (const text of ['api/all=false,v1=true,apps/v1=true', 'apps/v1=true,api/v1=true,api/all=false']) {
      expect(served(text).toSorted()).toEqual(['apps/v1', 'v1']);
    }
    expect(served('api/ga=false,v1=true').every((version) => version === 'v1' || /(alpha|beta)/.test(version))).toBe(
      true,
    );
  });

  it('uses the last setting of a version', () => {
    expect(served('apps/v1=false,apps/v1=true')).toContain('apps/v1');
  });

  it.each([
    ['gadgets/v1=true', 'unknown or unsupported group version in the runtime configuration: gadgets/v1'],
    ['apps/v9=true', 'unknown or unsupported group version in the runtime configuration: apps/v9'],
    ['apps/v1/gadgets=true', 'unknown or unsupported resource in the runtime configuration: apps/v1/gadgets'],
    ['apps/v9/gadgets', 'unknown or unsupported group version in the runtime configuration: apps/v9/gadgets'],
    ['api/gamma=true', 'unknown or unsupported group version in the runtime configuration: api/gamma'],
    ['apps/v1=off', 'invalid value of apps/v1: off, use true or false'],
    ['v1=false', 'the core group v1 cannot be disabled: the server itself needs it'],
    ['v1/namespaces=false', 'the core group v1 cannot be disabled: the server itself needs it'],
    ['api/all=false', 'the core group v1 cannot be disabled: the server itself needs it'],
  ])('refuses %s', (text, message) => {
    expect(() => applyRuntimeConfig(available, text)).toThrow(new RangeError(message));
  });
});
