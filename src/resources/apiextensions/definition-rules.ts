import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { type DefinitionStatus, specOf, statusOf } from './definition-shape.ts';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './definition-validation.ts';
import { unknownFormats } from './known-formats.ts';

export const definitionRules: Partial<ResourceRules> = {
  finalizers: 'any',
  setDefaults,
  prepareCreate: noteStorageVersion,
  prepareUpdate: noteStorageVersion,
  validate: validateDefinition,
  validateUpdate: validateDefinitionUpdate,
  validateStatus: validateDefinitionStatus,

  warnings(object, stored) {
    const known = stored === undefined ? new Set<string>() : unknownFormats(stored);
    return [...unknownFormats(object)].filter((format) => !known.has(format)).map(formatWarning);
  },
};

const formatWarning = (format: string): string => `unrecognized format ${goQuote(format)}`;

function setDefaults(object: ResourceObject): void {
  const spec = specOf(object);
  const { names } = spec;
  if (names !== undefined) {
    const { kind = '' } = names;
    if (!names.singular && kind !== '') names.singular = kind.toLowerCase();
    if (!names.listKind && kind !== '') names.listKind = `${kind}List`;
  }
  if (object.spec !== undefined) spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion?.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  const status = object.status as DefinitionStatus | undefined;
  if (status === undefined || status.storedVersions?.length) return;
  const storage = storageVersion(object);
  if (storage !== undefined) status.storedVersions = [storage];
}

/** The version in which objects are stored from now on, beside those in which there may be some. */
function noteStorageVersion(object: ResourceObject): void {
  const storage = storageVersion(object);
  const status = statusOf(object);
  const versions = status.storedVersions ?? [];
  if (storage === undefined || versions.includes(storage)) return;
  object.status = { ...status, storedVersions: [...versions, storage] };
}

function storageVersion(object: ResourceObject): string | undefined {
  return specOf(object).versions?.find(({ storage }) => storage === true)?.name ?? undefined;
}
