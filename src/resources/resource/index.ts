import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { textFields } from '../select-field.ts';
import { deviceClassRules } from './device-class-rules.ts';
import { DeviceClass } from './device-class-types.ts';
import { resourceClaimRules, resourceClaimTemplateRules } from './resource-claim-rules.ts';
import { ResourceClaim, ResourceClaimTemplate } from './resource-claim-types.ts';
import { resourceSliceRules } from './resource-slice-rules.ts';
import { ResourceSlice } from './resource-slice-types.ts';

/** The `resource.k8s.io` group: devices that nodes offer and pods claim. */
const v1 = { group: 'resource.k8s.io', version: 'v1' };

export const resourceResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'deviceclasses', {
    schema: DeviceClass,
    scope: 'cluster',
    generation: true,
    returnsDeleted: true,
    ...deviceClassRules,
  }),
  defineResource(v1, 'resourceclaims', {
    schema: ResourceClaim,
    subresources: [status],
    returnsDeleted: true,
    ...resourceClaimRules,
  }),
  defineResource(v1, 'resourceclaimtemplates', {
    schema: ResourceClaimTemplate,
    returnsDeleted: true,
    ...resourceClaimTemplateRules,
  }),
  defineResource(v1, 'resourceslices', {
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
  }),
];
