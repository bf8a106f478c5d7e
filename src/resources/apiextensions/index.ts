import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineKind, defineResource, type KindDefinition, status } from '../define.ts';
import { ConversionReview } from './conversion-review-types.ts';
import { CustomResourceDefinition } from './custom-resource-definition-types.ts';
import { definitionRules } from './definition-rules.ts';

/** The `apiextensions.k8s.io` group: the objects that define custom resources. `extensions` serves them. */
const v1 = { group: 'apiextensions.k8s.io', version: 'v1' };

export const apiextensionsResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'customresourcedefinitions', {
    ...definitionRules,
    schema: CustomResourceDefinition,
    scope: 'cluster',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: [status],
    generation: true,
    unconditionalUpdate: false,
    storage: { keyPrefix: 'apiextensions.k8s.io/customresourcedefinitions', hashVersion: 'v1beta1' },
  }),
];

export const apiextensionsKinds: readonly KindDefinition[] = [defineKind(v1, ConversionReview)];
