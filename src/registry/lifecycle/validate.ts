import type { FieldError } from '../../meta/field-error.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid } from '../../meta/status-error.ts';
import { inTurns } from '../../meta/turns.ts';
import { validateCommonUpdate, validateObjectMeta, validateObjectMetaUpdate } from '../../meta/validate-object-meta.ts';
import { validateSchemaRules } from '../../schema/validate-schema-rules.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { CreateCheck, UpdateCheck, ValidatedWrite } from '../resource-definition.ts';
import { subresourceRulesOf } from '../subresource-rules.ts';
import type { WriteEndpoint } from './prepare-update.ts';

interface NewObject {
  readonly object: ResourceObject;
  /** Whether the object may violate the rules of its schema. */
  readonly needsSchemaCheck: boolean;
}

/** Synchronous unless validation takes long. */
export function validateCreate(context: ResourceContext, { object, needsSchemaCheck }: NewObject): MaybePromise<void> {
  const { rules } = context.definition;
  const metadata = () => metadataErrors(context, object);
  if (rules.validateSteps !== undefined) {
    const errors = metadata();
    const own = errorsInTurns(context, object, { oldObject: undefined, endpoint: 'main' });
    return mapMaybe(own, (found) => refuse(context, object, [...errors, ...found]));
  }
  const findings: Record<CreateCheck, () => FieldError[]> = {
    metadata,
    object: () => rules.validate?.(object) ?? (needsSchemaCheck ? schemaErrors(context, object) : []),
    creation: () => rules.validateCreate?.(object) ?? [],
  };
  const checks = rules.createChecks ?? defaultCreateChecks;
  refuse(
    context,
    object,
    checks.flatMap((check) => findings[check]()),
  );
  if (!checks.includes('metadata')) refuse(context, object, metadata());
}

const defaultCreateChecks: readonly CreateCheck[] = ['metadata', 'object'];

function metadataErrors({ definition }: ResourceContext, object: ResourceObject): FieldError[] {
  const { namespaced, rules } = definition;
  const nameRule = rules.nameOf?.(object) ?? rules.name;
  return validateObjectMeta(object.metadata, { namespaced, nameRule, finalizers: rules.finalizers });
}

interface Change {
  readonly next: ResourceObject;
  readonly oldObject: ResourceObject;
  readonly endpoint: WriteEndpoint;
}

/** Synchronous unless validation takes long. */
export function validateUpdate(context: ResourceContext, change: Change): MaybePromise<void> {
  const { next, oldObject } = change;
  const { namespaced } = context.definition;
  const errors = validateCommonUpdate(next.metadata, oldObject.metadata, { namespaced });
  return mapMaybe(changeErrors(context, change), (found) => refuse(context, next, [...errors, ...found]));
}

function changeErrors(context: ResourceContext, change: Change): MaybePromise<FieldError[]> {
  const { next, oldObject, endpoint } = change;
  const { rules } = context.definition;
  const checks = updateChecks(context, endpoint);
  const metadata: Partial<Record<UpdateCheck, () => FieldError[]>> = {
    metadata: () => metadataErrors(context, next),
    metadataChange: () => validateObjectMetaUpdate(next.metadata, oldObject.metadata, { finalizers: rules.finalizers }),
  };
  if (rules.validateSteps !== undefined && subresourceRulesOf(context.definition, endpoint) === undefined) {
    const errors = checks.flatMap((check) => metadata[check]?.() ?? []);
    const own = errorsInTurns(context, next, { oldObject, endpoint: endpoint === 'status' ? 'status' : 'main' });
    return mapMaybe(own, (found) => [...errors, ...found]);
  }
  return checks.flatMap((check) => (metadata[check] ?? (() => ownErrors(context, change, check)))());
}

const defaultUpdateChecks: readonly UpdateCheck[] = ['metadataChange', 'change'];
const checksWithoutChange: readonly UpdateCheck[] = ['metadataChange', 'object'];

function updateChecks({ definition }: ResourceContext, endpoint: WriteEndpoint): readonly UpdateCheck[] {
  const { rules } = definition;
  const subresource = subresourceRulesOf(definition, endpoint);
  if (subresource !== undefined) return subresource.checks ?? defaultUpdateChecks;
  if (endpoint === 'status') return rules.statusChecks ?? defaultUpdateChecks;
  if (endpoint === 'main' && rules.updateChecks !== undefined) return rules.updateChecks;
  return rules.validateUpdate === undefined ? checksWithoutChange : defaultUpdateChecks;
}

/** The errors that the rules of the type find in one check. */
function ownErrors(context: ResourceContext, { next, oldObject, endpoint }: Change, check: UpdateCheck): FieldError[] {
  const { validate, validateUpdate, validateStatus } = context.definition.rules;
  const subresource = subresourceRulesOf(context.definition, endpoint);
  if (subresource !== undefined) return subresource.validate?.(next, oldObject) ?? [];
  // A type without validation rules has none for its status either, except those of the schema.
  if (validate === undefined) return schemaErrors(context, next);
  if (check === 'object') return validate(next, oldObject);
  if (endpoint === 'status') return validateStatus?.(next, oldObject) ?? [];
  return validateUpdate?.(next, oldObject) ?? [];
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
