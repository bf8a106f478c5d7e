import type { FieldError } from '../../meta/field-error.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid } from '../../meta/status-error.ts';
import { inTurns } from '../../meta/turns.ts';
import {
  validateCommonUpdate,
  validateGenerateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../meta/validate-object-meta.ts';
import { validateSchemaRules } from '../../schema/validate-schema-rules.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { ValidatedWrite } from '../resource-definition.ts';
import { subresourceRulesOf } from '../subresource-rules.ts';
import type { WriteEndpoint } from './prepare-update.ts';

interface NewObject {
  readonly object: ResourceObject;
  /** Whether the object may violate the rules of its schema. */
  readonly needsSchemaCheck: boolean;
}

/** Synchronous unless validation takes long. */
export function validateCreate(context: ResourceContext, { object, needsSchemaCheck }: NewObject): MaybePromise<void> {
  const { namespaced, rules } = context.definition;
  const errors = validateObjectMeta(object.metadata, {
    namespaced,
    nameRule: rules.name,
    finalizers: rules.finalizers,
  });
  if (rules.validateSteps !== undefined) {
    const own = errorsInTurns(context, object, { oldObject: undefined, endpoint: 'main' });
    return mapMaybe(own, (found) => refuse(context, object, [...errors, ...found]));
  }
  const own = rules.validate?.(object) ?? (needsSchemaCheck ? schemaErrors(context, object) : []);
  if (rules.metaErrors === 'last' && own.length > 0) refuse(context, object, own);
  else if (errors.length > 0 || own.length > 0) refuse(context, object, [...errors, ...own]);
}

/** Synchronous unless validation takes long. */
export function validateUpdate(context: ResourceContext, { next, oldObject, endpoint }: Change): MaybePromise<void> {
  const { namespaced, rules } = context.definition;
  const errors = [
    ...validateCommonUpdate(next.metadata, oldObject.metadata, { namespaced }),
    ...validateObjectMetaUpdate(next.metadata, oldObject.metadata, { finalizers: rules.finalizers }),
  ];
  if (rules.updateChecksGenerateName && endpoint === 'main') {
    errors.push(...validateGenerateName(next.metadata.generateName, { nameRule: rules.name }));
  }
  return mapMaybe(changeErrors(context, { next, oldObject, endpoint }), (found) =>
    refuse(context, next, [...errors, ...found]),
  );
}

interface Change {
  readonly next: ResourceObject;
  readonly oldObject: ResourceObject;
  readonly endpoint: WriteEndpoint;
}

function changeErrors(context: ResourceContext, { next, oldObject, endpoint }: Change): MaybePromise<FieldError[]> {
  const { validate, validateUpdate, validateStatus, validateSteps } = context.definition.rules;
  const subresourceRules = subresourceRulesOf(context.definition, endpoint);
  if (subresourceRules !== undefined) return subresourceRules.validate?.(next, oldObject) ?? [];
  if (validateSteps !== undefined) {
    return errorsInTurns(context, next, { oldObject, endpoint: endpoint === 'status' ? 'status' : 'main' });
  }
  // A type without validation rules has none for its status either, except those of the schema.
  if (validate === undefined) return schemaErrors(context, next);
  if (endpoint === 'status') return validateStatus?.(next, oldObject) ?? [];
  return validateUpdate?.(next, oldObject) ?? validate(next);
}

function errorsInTurns(
  context: ResourceContext,
  object: ResourceObject,
  write: ValidatedWrite,
): MaybePromise<FieldError[]> {
  const { validateSteps, requiredLabel } = context.definition.rules;
  const own = () => inTurns(validateSteps!(object, write));
  const required = requiredLabel?.(object, write);
  if (required === undefined) return own();
  return mapMaybe(context.namespaceLabels(object.metadata.namespace ?? ''), (labels) =>
    labels?.[required.name] === required.value ? own() : mapMaybe(own(), (errors) => [required.error, ...errors]),
  );
}

function schemaErrors({ definition }: ResourceContext, object: ResourceObject): FieldError[] {
  return validateSchemaRules(definition.schema, object, { path: '' });
}

function refuse({ groupKind }: ResourceContext, object: ResourceObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(groupKind, object.metadata.name ?? '', errors);
}
