import { isDeepStrictEqual } from 'node:util';
import { type FieldError, invalidValue, notSupportedValue, requiredValue, tooMany } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, type NameCheck } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { ValidatedWrite } from '../../registry/resource-definition.ts';
import { type JsonSchema, someSchema } from '../../schema/structural/json-schema.ts';
import { internalValue } from '../validation/internal-value.ts';
import { approvalErrors } from './api-approval.ts';
import { isCertificateBundle, validateConversion } from './conversion-validation.ts';
import type { CustomResourceDefinitionSpec } from './custom-resource-definition-types.ts';
import { CustomResourceDefinitionVersion } from './custom-resource-definition-types.ts';
import { type GatheredVersions, gatherVersions, isEstablished, specOf, statusOf } from './definition-parts.ts';
import { validateLabel, validateNames, validateNamesPresent } from './names-validation.ts';
import { validateDeprecation, validateVersionFields } from './version-validation.ts';

const scopes = ['Cluster', 'Namespaced'];
/** Far above practical needs: each version is a separate type in discovery and OpenAPI. */
const maxVersions = 100;
/** The maximum number of errors about stored versions: each error lists all stored versions. */
const maxStorageErrors = 16;

export function* validateDefinition(
  object: ResourceObject,
  { oldObject, endpoint }: ValidatedWrite,
): Steps<FieldError[]> {
  if (endpoint === 'status') return statusNameErrors(object);
  const { length } = specOf(object).versions ?? [];
  if (length > maxVersions) return [tooMany('spec.versions', length, maxVersions)];
  return yield* oldObject === undefined ? creationErrors(object) : updateErrors(object, oldObject);
}

function* creationErrors(object: ResourceObject): Steps<FieldError[]> {
  const spec = specOf(object);
  const errors: FieldError[] = [];
  yield* validateSpec(spec, { checkCertificates: false, unchanged: new Set() }, errors);
  return [...errors, ...statusErrors(object), ...approvalErrors(object, undefined), ...preserveErrors(spec, undefined)];
}

function* updateErrors(next: ResourceObject, oldObject: ResourceObject): Steps<FieldError[]> {
  const spec = specOf(next);
  const old = specOf(oldObject);
  const errors: FieldError[] = [];
  const oldBundle = old.conversion?.webhook?.clientConfig?.caBundle ?? '';
  const established = isEstablished(oldObject);
  const unchanged = unchangedVersions(spec, old);
  yield* validateSpec(spec, { checkCertificates: established && isCertificateBundle(oldBundle), unchanged }, errors);
  const immutable = (value: unknown, before: unknown, path: string) => {
    if (value !== before) errors.push(invalidValue(path, value ?? '', 'field is immutable'));
  };
  if (established) {
    immutable(spec.scope, old.scope, 'spec.scope');
    immutable(spec.names?.kind, old.names?.kind, 'spec.names.kind');
  }
  immutable(spec.group, old.group, 'spec.group');
  immutable(spec.names?.plural, old.names?.plural, 'spec.names.plural');
  return [...errors, ...statusErrors(next), ...approvalErrors(next, oldObject), ...preserveErrors(spec, old)];
}

function statusNameErrors(next: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  validateNames(statusOf(next).acceptedNames ?? {}, 'status.acceptedNames', errors);
  return errors;
}

/** The name must also be `<plural>.<group>` of the spec. */
export function definitionName({ spec }: ResourceObject): NameCheck {
  const { names, group = '' } = (spec ?? {}) as CustomResourceDefinitionSpec;
  const required = `${names?.plural ?? ''}.${group}`;
  const detail = 'must be spec.names.plural+"."+spec.group';
  return (name, options) => [...dnsSubdomainErrors(name, options), ...(name === required ? [] : [detail])];
}

interface SpecOptions {
  readonly checkCertificates: boolean;
  /** The versions whose schemas an update does not change. */
  readonly unchanged: ReadonlySet<string>;
}

function unchangedVersions(
  { versions }: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec,
): ReadonlySet<string> {
  const before = new Map(old.versions?.map(({ name = '', schema }) => [name, schema]));
  const same = versions?.filter(
    ({ name = '', schema }) => before.has(name) && isDeepStrictEqual(schema, before.get(name)),
  );
  return new Set(same?.map(({ name = '' }) => name));
}

function* validateSpec(spec: CustomResourceDefinitionSpec, options: SpecOptions, errors: FieldError[]): Steps<void> {
  const { scope = '', names = {}, conversion, preserveUnknownFields = false } = spec;
  validateGroup(spec.group ?? '', 'spec.group', errors);
  if (scope === '') errors.push(requiredValue('spec.scope'));
  else if (!scopes.includes(scope)) errors.push(notSupportedValue('spec.scope', scope, scopes));
  const gathered = gatherVersions(spec.versions ?? []);
  const { unchanged } = options;
  if (isTurnOver()) yield;
  yield* validateVersions(spec, { gathered, unchanged }, errors);
  validateNamesPresent(names, 'spec.names', errors);
  validateNames(names, 'spec.names', errors);
  const { common, versions } = gathered;
  const hasStatus = [common, ...versions].some(({ subresources }) => subresources?.status !== undefined);
  const isUnchanged = unchanged.has(versions[0]?.name ?? '');
  yield* validateVersionFields(common, { path: 'spec', schemaField: 'validation', hasStatus, isUnchanged }, errors);
  if (conversion === undefined) return;
  if (preserveUnknownFields && conversion.strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalidValue('spec.conversion.strategy', conversion.strategy ?? '', detail));
  }
  const { checkCertificates } = options;
  validateConversion(conversion, { path: 'spec.conversion', checkCertificates }, errors);
}

function validateGroup(group: string, path: string, errors: FieldError[]): void {
  const details = dnsSubdomainErrors(group);
  if (group === '') errors.push(requiredValue(path));
  else if (details.length > 0) errors.push(invalidValue(path, group, details.join(',')));
  else if (!group.includes('.')) errors.push(invalidValue(path, group, 'should be a domain with at least one dot'));
}

function* validateVersions(
  spec: CustomResourceDefinitionSpec,
  { gathered, unchanged }: { readonly gathered: GatheredVersions; readonly unchanged: ReadonlySet<string> },
  errors: FieldError[],
): Steps<void> {
  const { common, versions } = gathered;
  if (common.schema?.openAPIV3Schema === undefined) {
    for (const [index, { schema }] of versions.entries()) {
      if (schema?.openAPIV3Schema !== undefined) continue;
      errors.push(requiredValue(`spec.versions[${index}].schema.openAPIV3Schema`));
    }
  }
  if (spec.preserveUnknownFields === true && spec.versions?.some(hasDefault)) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalidValue('spec.preserveUnknownFields', true, detail));
  }
  const onePerVersion = versions.some(({ subresources }) => subresources !== undefined);
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    validateLabel(version.name ?? '', `${path}.name`, errors);
    validateDeprecation(version, path, errors);
    const { subresources } = onePerVersion ? version : common;
    yield* validateVersionFields(
      version,
      {
        path,
        schemaField: 'schema',
        hasStatus: subresources?.status !== undefined,
        isUnchanged: unchanged.has(version.name ?? ''),
      },
      errors,
    );
  }
  validateVersionSet(spec, versions, errors);
}

function hasDefault({ schema }: CustomResourceDefinitionVersion): boolean {
  const root: JsonSchema | undefined = schema?.openAPIV3Schema;
  return root !== undefined && someSchema(root, (inner) => inner.default !== undefined);
}

function validateVersionSet(
  spec: CustomResourceDefinitionSpec,
  versions: readonly CustomResourceDefinitionVersion[],
  errors: FieldError[],
): void {
  const shown = () =>
    spec.versions?.map((_, index) => internalValue(CustomResourceDefinitionVersion, versions[index])) ?? null;
  const names = versions.map(({ name = '' }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalidValue('spec.versions', shown(), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalidValue('spec.versions', shown(), detail));
  }
  // The internal type also has the first version in `spec.version`, which is validated separately.
  if (names[0]) validateLabel(names[0], 'spec.version', errors);
}

function statusErrors(object: ResourceObject): FieldError[] {
  const errors = statusNameErrors(object);
  const path = 'status.storedVersions';
  const old = statusOf(object).storedVersions ?? [];
  if (old.length === 0) return [...errors, invalidValue(path, null, 'must have at least one stored version')];
  const versions = specOf(object).versions ?? [];
  const unlisted = versions.filter(({ name = '', storage }) => storage === true && !old.includes(name));
  for (const { name = '' } of unlisted.slice(0, maxStorageErrors)) {
    errors.push(invalidValue(path, old, `must have the storage version ${name}`));
  }
  for (const [index, name] of old.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const until = `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from`;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ${until} ${path}`;
    errors.push(invalidValue(`${path}[${index}]`, name, detail));
  }
  return errors;
}

function preserveErrors(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`)];
}
