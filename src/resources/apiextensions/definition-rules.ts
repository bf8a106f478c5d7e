import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { isKnownFormat } from '../../schema/structural/formats.ts';
import { someSchema } from '../../schema/structural/json-schema.ts';
import type { CustomResourceDefinitionStatus } from './custom-resource-definition-types.ts';
import { specOf, statusOf } from './definition-parts.ts';
import { definitionName, validateDefinition } from './definition-validation.ts';

/** Keeps a definition until all of its custom objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const definitionRules: Partial<ResourceRules> = {
  finalizers: 'any',
  nameOf: definitionName,
  deletesInPhases: true,
  prepareDelete: awaitCleanup,
  heldBack: ({ metadata }) => !!metadata.finalizers?.length,
  setDefaults,
  prepareCreate: addStorageVersion,
  prepareUpdate: addStorageVersion,
  validateSteps: validateDefinition,

  warnings(object, oldObject) {
    const reported = oldObject === undefined ? new Set<string>() : unknownFormats(oldObject);
    return [...unknownFormats(object)].filter((format) => !reported.has(format)).map(formatWarning);
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
  const status = object.status as CustomResourceDefinitionStatus | undefined;
  if (status === undefined || status.storedVersions?.length) return;
  const storage = storageVersion(object);
  if (storage !== undefined) status.storedVersions = [storage];
}

function awaitCleanup(object: ResourceObject): void {
  const { metadata } = object;
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), cleanupFinalizer])];
  delete metadata.deletionGracePeriodSeconds;
  const status = statusOf(object);
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating');
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: metadata.deletionTimestamp,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  object.status = { ...status, conditions: [...others, condition] };
}

/** Adds the storage version to the versions in which objects may already be stored. */
function addStorageVersion(object: ResourceObject): void {
  const storage = storageVersion(object);
  const status = statusOf(object);
  const versions = status.storedVersions ?? [];
  if (storage === undefined || versions.includes(storage)) return;
  object.status = { ...status, storedVersions: [...versions, storage] };
}

function storageVersion(object: ResourceObject): string | undefined {
  return specOf(object).versions?.find(({ storage }) => storage === true)?.name ?? undefined;
}

/** The unknown formats in the schemas of a definition. */
function unknownFormats(object: ResourceObject): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { schema } of specOf(object).versions ?? []) {
    if (schema?.openAPIV3Schema === undefined) continue;
    someSchema(schema.openAPIV3Schema, ({ format }) => {
      if (format && !isKnownFormat(format)) found.add(format);
      return false;
    });
  }
  return found;
}
