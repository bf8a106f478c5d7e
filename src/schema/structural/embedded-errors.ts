import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dns1035LabelErrors } from '../../meta/names.ts';
import type { ObjectMeta } from '../../meta/object.ts';
import { validateObjectMeta } from '../../meta/validate-object-meta.ts';
import type { Schema } from '../model.ts';
import { isObject } from '../normalize/type-mismatch.ts';
import { maxErrors } from './error-limit.ts';
import { isEmbedded } from './json-schema.ts';
import { NodeSearch } from './node-search.ts';

const embeddedResources = new NodeSearch(isEmbedded);

/** Validates `apiVersion`, `kind` and `metadata` of embedded resources. */
export function embeddedErrors(schema: Schema, value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  embeddedResources.visit(schema, value, (node, inner, path) => {
    if (errors.length >= maxErrors || node === schema || !isObject(inner)) return;
    errors.push(...resourceErrors(inner, path()));
  });
  return errors;
}

function resourceErrors(object: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  return [
    ...textErrors(object.apiVersion, { path: `${path}.apiVersion`, problem: apiVersionProblem }),
    ...textErrors(object.kind, { path: `${path}.kind`, problem: kindProblem }),
    ...metadataErrors(object.metadata, path),
  ];
}

interface TextRules {
  readonly path: string;
  readonly problem: (text: string) => string | undefined;
}

function textErrors(value: unknown, { path, problem }: TextRules): FieldError[] {
  if (value === undefined) return [requiredValue(path)];
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  const detail = value === '' ? 'must not be empty' : problem(value);
  return detail === undefined ? [] : [invalidValue(path, value, detail)];
}

function apiVersionProblem(text: string): string | undefined {
  return text.indexOf('/') === text.lastIndexOf('/') ? undefined : `unexpected GroupVersion string: ${text}`;
}

function kindProblem(text: string): string | undefined {
  const details = dns1035LabelErrors(text.toLowerCase());
  return details.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${details.join(',')}`;
}

function metadataErrors(metadata: unknown, path: string): FieldError[] {
  if (!isObject(metadata)) return [];
  const meta = metadata as ObjectMeta;
  // An embedded object may have no name yet.
  const named = meta.name ? meta : { ...meta, name: 'unnamed' };
  const rules = { namespaced: Boolean(meta.namespace), nameRule: 'pathSegment', finalizers: 'any' } as const;
  return validateObjectMeta(named, rules).map((error) => ({ ...error, field: `${path}.${error.field}` }));
}
