import { describe, expect, it } from 'vitest';
import { apiVersionOf } from '../meta/group-version.ts';
import { builtInResources } from '../resources/index.ts';
import { applyRuntimeConfig } from './runtime-config.ts';

const served = (text: string): string[] => [
  ...new Set(applyRuntimeConfig(builtInResources, text).map((definition) => apiVersionOf(definition))),
];
const all = served('');

describe('applyRuntimeConfig', () => {
  it('leaves everything as it is by default', () => {
    expect(applyRuntimeConfig(builtInResources, '')).toEqual(builtInResources);
    expect(served('api/all=true')).toEqual(all);
    expect(served('apps/v1')).toEqual(all);
  });

  it('takes a group version away', () => {
    expect(served('apps/v1=false')).toEqual(all.filter((version) => version !== 'apps/v1'));
    expect(served(' apps/v1=false , batch/v1=false,')).not.toContain('batch/v1');
  });

  it('lets a single version overrule its class, whatever their order', () => {
    for (const text of ['api/all=false,v1=true,apps/v1=true', 'apps/v1=true,api/v1=true,api/all=false']) {
      expect(served(text).toSorted()).toEqual(['apps/v1', 'v1']);
    }
    expect(served('api/ga=false,v1=true').every((version) => version === 'v1' || /(alpha|beta)/.test(version))).toBe(
      true,
    );
  });

  it('lets the last word on a version win', () => {
    expect(served('apps/v1=false,apps/v1=true')).toContain('apps/v1');
  });

  it.each([
    ['gadgets/v1=true', 'unknown or unsupported group version in the runtime configuration: gadgets/v1'],
    ['apps/v9=true', 'unknown or unsupported group version in the runtime configuration: apps/v9'],
    ['api/gamma=true', 'unknown or unsupported group version in the runtime configuration: api/gamma'],
    ['apps/v1=off', 'invalid value of apps/v1: off, use true or false'],
    ['v1=false', 'the core group v1 cannot be switched off: the server itself needs it'],
    ['api/all=false', 'the core group v1 cannot be switched off: the server itself needs it'],
  ])('refuses %s', (text, message) => {
    expect(() => applyRuntimeConfig(builtInResources, text)).toThrow(new RangeError(message));
  });
});
