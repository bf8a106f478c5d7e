import { finalizerWarnings } from '../meta/finalizers.ts';
import type { ResourceObject } from '../meta/object.ts';
import { forbidden } from '../meta/status-error.ts';
import { isTurnOver } from '../meta/turns.ts';
import type { ResourceRules } from '../registry/resource-definition.ts';
import type { CustomResourceDefinitionVersion } from '../resources/apiextensions/custom-resource-definition-types.ts';
import type { StructSchema } from '../schema/model.ts';
import type { ExpressionMetrics } from '../schema/rules/index.ts';
import { validateCustomObject } from '../schema/structural/index.ts';
import { CustomExpressions } from './custom-expressions.ts';
import { validateScaleSpec, validateScaleStatus } from './custom-scale.ts';
import { selectableFields } from './selectable-fields.ts';

export interface CustomRulesOptions {
  readonly group: string;
  readonly resource: string;
  readonly version: CustomResourceDefinitionVersion;
  /** Called on first use, because most types are never used. */
  readonly schema: () => StructSchema;
  /** Warns clients of a deprecated version. */
  readonly deprecation?: string | undefined;
  /** Whether the definition is being deleted. No objects are created then. */
  readonly isTerminating: () => boolean;
  /** Measures the rules of the schema. */
  readonly metrics?: ExpressionMetrics | undefined;
}

/** The rules of one version of a custom resource. */
export function customRules(options: CustomRulesOptions): ResourceRules {
  const { group, resource, version, schema, deprecation, isTerminating, metrics } = options;
  const hasStatus = version.subresources?.status !== undefined;
  const paths = version.subresources?.scale;
  let compiled: CustomExpressions | undefined;
  const expressions = (): CustomExpressions => {
    compiled ??= new CustomExpressions(schema().structural?.source ?? {}, metrics);
    return compiled;
  };
  return {
    name: 'dnsSubdomain',
    finalizers: 'any',
    generation: true,
    unconditionalUpdate: false,
    returnsDeleted: false,
    keepsStatus: !hasStatus,
    fieldSelectors: selectableFields(version.selectableFields ?? []),
    ...(deprecation !== undefined && { deprecation }),
    prepareCreate(object) {
      if (!isTerminating()) return;
      const detail = 'create not allowed while custom resource definition is terminating';
      throw forbidden({ group, resource }, object.metadata.name ?? '', detail);
    },
    prepareStatusUpdate: keepMetadata,
    *validateSteps(object, { oldObject, endpoint }) {
      const subresource = endpoint === 'status' ? endpoint : '';
      const errors = yield* validateCustomObject(schema(), object, { oldObject, subresource });
      if (endpoint === 'main') errors.push(...validateScaleSpec(object, paths));
      errors.push(...validateScaleStatus(object, paths));
      if (isTurnOver()) yield;
      return yield* expressions().validate(object, { oldObject, errors });
    },
    warnings: (object, oldObject) => [
      ...finalizerWarnings(object.metadata.finalizers, oldObject?.metadata.finalizers),
      ...expressions().warnings(object),
    ],
    statusWarnings: (object) => expressions().warnings(object),
  };
}

/** A write to the status changes no metadata except the owners of fields. */
function keepMetadata(next: ResourceObject, { metadata }: ResourceObject): void {
  next.metadata = { ...metadata, managedFields: next.metadata.managedFields };
}
