import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { apiServiceRules } from './api-service-rules.ts';
import { APIService } from './api-service-types.ts';

/** The `apiregistration.k8s.io` group: which server serves a group version. */
const v1 = { group: 'apiregistration.k8s.io', version: 'v1' };

export const apiregistrationResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'apiservices', {
    ...apiServiceRules,
    schema: APIService,
    scope: 'cluster',
    categories: ['api-extensions'],
    subresources: [status],
    unconditionalUpdate: false,
    storage: { keyPrefix: 'apiregistration.k8s.io/apiservices' },
  }),
];
