import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { endpointSliceRules } from './endpoint-slice-rules.ts';
import { EndpointSlice } from './endpoint-slice-types.ts';

/** The `discovery.k8s.io` group: endpoint slices of services. API discovery is in `http`. */
const v1 = { group: 'discovery.k8s.io', version: 'v1' };

export const discoveryResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'endpointslices', {
    schema: EndpointSlice,
    generation: true,
    ...endpointSliceRules,
  }),
];
