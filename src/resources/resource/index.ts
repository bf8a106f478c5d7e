import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { defineVersion, deprecationText } from '../define-version.ts';
import { deriveVersion } from '../derive-version.ts';
import { rulesInVersion } from '../rules-in-version.ts';
import { textFields } from '../select-field.ts';
import { deviceClassRules } from './device-class-rules.ts';
import { DeviceClass } from './device-class-types.ts';
import { deviceTaintRuleRules } from './device-taint-rule-rules.ts';
import { DeviceTaintRule } from './device-taint-rule-types.ts';
import { poolStatusRequestRules } from './pool-status-request-rules.ts';
import { ResourcePoolStatusRequest } from './pool-status-request-types.ts';
import { resourceClaimRules, resourceClaimTemplateRules } from './resource-claim-rules.ts';
import { ResourceClaim, ResourceClaimTemplate } from './resource-claim-types.ts';
import { resourceSliceRules } from './resource-slice-rules.ts';
import { ResourceSlice } from './resource-slice-types.ts';
import { claimConversion, claimTemplateConversion, sliceConversion } from './v1beta1-conversion.ts';
import { v1beta1Type } from './v1beta1-types.ts';

/** The `resource.k8s.io` group: dynamic resource allocation of devices. */
const v1 = { group: 'resource.k8s.io', version: 'v1' };
const v1alpha3 = { group: 'resource.k8s.io', version: 'v1alpha3' };

const deviceClasses = defineResource(v1, 'deviceclasses', {
  schema: DeviceClass,
  scope: 'cluster',
  generation: true,
  returnsDeleted: true,
  ...deviceClassRules,
});
const resourceClaims = defineResource(v1, 'resourceclaims', {
  schema: ResourceClaim,
  subresources: [status],
  returnsDeleted: true,
  ...resourceClaimRules,
});
const resourceClaimTemplates = defineResource(v1, 'resourceclaimtemplates', {
  schema: ResourceClaimTemplate,
  returnsDeleted: true,
  ...resourceClaimTemplateRules,
});
const resourceSlices = defineResource(v1, 'resourceslices', {
  schema: ResourceSlice,
  scope: 'cluster',
  generation: true,
  returnsDeleted: true,
  fieldSelectors: {
    fields: textFields('spec.nodeName', 'spec.driver'),
    refusal: 'notSupportedForGroupVersionKind',
    metadataNamespace: false,
    indexed: ['spec.nodeName'],
  },
  ...resourceSliceRules,
});

export const resourceResources: readonly ResourceDefinition[] = [
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
];

const v1alpha3Type = deriveVersion({ from: 'resource/v1', to: 'resource/v1alpha3' });
const v1beta2Type = deriveVersion({ from: 'resource/v1', to: 'resource/v1beta2' });
const inV1beta1 = { version: 'v1beta1', deprecated: { since: 35, unavailable: 38 } };
const inV1beta2 = { version: 'v1beta2', deprecated: { since: 36, unavailable: 39 } };

const deviceTaintRules = defineResource(v1alpha3, 'devicetaintrules', {
  schema: v1alpha3Type(DeviceTaintRule),
  scope: 'cluster',
  subresources: [status],
  generation: true,
  returnsDeleted: true,
  deprecation: deprecationText(v1alpha3, 'DeviceTaintRule', { since: 36, unavailable: 39 }),
  ...deviceTaintRuleRules,
});

export const optionalResourceResources: readonly ResourceDefinition[] = [
  deviceTaintRules,
  defineVersion(deviceTaintRules, { version: 'v1beta2', schema: v1beta2Type(DeviceTaintRule) }),
  defineResource(v1alpha3, 'resourcepoolstatusrequests', {
    schema: ResourcePoolStatusRequest,
    scope: 'cluster',
    subresources: [status],
    unconditionalUpdate: false,
    returnsDeleted: true,
    ...poolStatusRequestRules,
  }),
  ...[deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices].map((definition) =>
    defineVersion(definition, { ...inV1beta2, schema: v1beta2Type(definition.schema) }),
  ),
  defineVersion(deviceClasses, { ...inV1beta1, schema: v1beta1Type(DeviceClass) }),
  defineVersion(resourceClaims, {
    ...inV1beta1,
    schema: v1beta1Type(ResourceClaim),
    conversion: claimConversion,
    rules: rulesInVersion(resourceClaimRules, claimConversion),
  }),
  defineVersion(resourceClaimTemplates, {
    ...inV1beta1,
    schema: v1beta1Type(ResourceClaimTemplate),
    conversion: claimTemplateConversion,
    rules: rulesInVersion(resourceClaimTemplateRules, claimTemplateConversion),
  }),
  defineVersion(resourceSlices, {
    ...inV1beta1,
    schema: v1beta1Type(ResourceSlice),
    conversion: sliceConversion,
    rules: rulesInVersion(resourceSliceRules, sliceConversion),
  }),
];
