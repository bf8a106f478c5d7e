import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid } from '../../meta/status-error.ts';
import { validateCommonUpdate, validateObjectMeta, validateObjectMetaUpdate } from '../../meta/validate-object-meta.ts';
import { validateSchemaRules } from '../../schema/validate-schema-rules.ts';
import type { ResourceContext } from '../resource-context.ts';

/** `suspicious`: it is not known yet whether the object keeps the rules of its schema. */
export function validateCreate(context: ResourceContext, object: ResourceObject, suspicious: boolean): void {
  const { namespaced, rules } = context.definition;
  refuse(context, object, [
    ...validateObjectMeta(object.metadata, { namespaced, nameRule: rules.name, finalizers: rules.finalizers }),
    ...(suspicious ? validateSchemaRules(context.definition.schema, object, { path: '' }) : []),
  ]);
}

export function validateUpdate(context: ResourceContext, next: ResourceObject, stored: ResourceObject): void {
  const { namespaced, rules } = context.definition;
  refuse(context, next, [
    ...validateCommonUpdate(next.metadata, stored.metadata, { namespaced }),
    ...validateObjectMetaUpdate(next.metadata, stored.metadata, { finalizers: rules.finalizers }),
    ...validateSchemaRules(context.definition.schema, next, { path: '' }),
  ]);
}

function refuse({ groupKind }: ResourceContext, object: ResourceObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(groupKind, object.metadata.name ?? '', errors);
}
