import { encodeJson } from '../codec/json/index.ts';
import type { ResourceObject } from '../meta/object.ts';

/**
 * CustomResourceDefinitions in the version in which kube-apiserver stores them. It is no longer served. Settings that
 * all versions of a definition have in common are moved to its spec, where this version has them.
 */
export const definitionVersion = 'apiextensions.k8s.io/v1beta1';

interface VersionSettings {
  schema?: unknown;
  subresources?: unknown;
  additionalPrinterColumns?: unknown;
  selectableFields?: unknown;
}

interface DefinitionVersion extends VersionSettings {
  name: string;
  [field: string]: unknown;
}

interface WebhookConversion {
  readonly clientConfig?: unknown;
  readonly conversionReviewVersions?: readonly string[] | null;
}

interface SpecV1 {
  readonly group: unknown;
  readonly names: unknown;
  readonly scope: unknown;
  readonly versions?: readonly DefinitionVersion[] | null;
  readonly conversion?: { readonly strategy: unknown; readonly webhook?: WebhookConversion };
  readonly preserveUnknownFields?: boolean;
}

interface SpecV1beta1 {
  readonly group?: unknown;
  readonly version?: string;
  readonly names?: unknown;
  readonly scope?: unknown;
  readonly validation?: unknown;
  readonly subresources?: unknown;
  readonly versions?: readonly DefinitionVersion[] | null;
  readonly additionalPrinterColumns?: unknown;
  readonly selectableFields?: unknown;
  readonly conversion?: {
    readonly strategy?: unknown;
    readonly webhookClientConfig?: unknown;
    readonly conversionReviewVersions?: readonly string[] | null;
  };
  readonly preserveUnknownFields?: boolean | null;
}

const settings = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** The fields are in the order of the version. The argument is in canonical form, and parts of it are reused. */
export function toV1beta1({ kind, metadata, spec, status }: ResourceObject): ResourceObject {
  const { group, names, scope, versions, conversion, preserveUnknownFields = false } = spec as SpecV1;
  const given = versions ?? [];
  const common = commonSettings(given);
  return {
    kind: kind!,
    apiVersion: definitionVersion,
    metadata,
    spec: {
      group,
      version: given[0]?.name,
      names,
      scope,
      validation: common.schema,
      subresources: common.subresources,
      versions: given.map((version) => withColumns(withoutSettings(version, common), toColumnV1beta1)),
      additionalPrinterColumns: columns(common.additionalPrinterColumns, toColumnV1beta1),
      selectableFields: common.selectableFields,
      conversion: conversion && {
        strategy: conversion.strategy,
        webhookClientConfig: conversion.webhook?.clientConfig,
        conversionReviewVersions: conversion.webhook?.conversionReviewVersions ?? undefined,
      },
      preserveUnknownFields,
    },
    status,
  };
}

/** The result is not in canonical form yet. */
export function fromV1beta1({ kind, metadata, spec, status }: ResourceObject): ResourceObject {
  const { validation, subresources, additionalPrinterColumns, selectableFields, ...own } = (spec ?? {}) as SpecV1beta1;
  const { group, version, names, scope = 'Namespaced', conversion, preserveUnknownFields } = own;
  const common: VersionSettings = { schema: validation, subresources, additionalPrinterColumns, selectableFields };
  const listed = own.versions ?? [];
  // The oldest definitions have a single version, without a list.
  const versions = listed.length > 0 || !version ? listed : [{ name: version, served: true, storage: true }];
  const { strategy = 'None', webhookClientConfig, conversionReviewVersions } = conversion ?? {};
  return {
    kind: kind!,
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata,
    spec: {
      group,
      names,
      scope,
      versions: versions.map((one) => withColumns({ ...one, ...definedSettings(common) }, toColumnV1)),
      conversion: {
        strategy,
        ...(strategy === 'Webhook' && {
          webhook: {
            clientConfig: webhookClientConfig,
            conversionReviewVersions: conversionReviewVersions ?? ['v1beta1'],
          },
        }),
      },
      // Definitions in v1beta1 preserve unknown fields by default.
      preserveUnknownFields: preserveUnknownFields ?? true,
    },
    status,
  };
}

/** The settings that are the same in all versions. */
function commonSettings(versions: readonly DefinitionVersion[]): VersionSettings {
  const [first, ...others] = versions;
  if (first === undefined) return {};
  const same = settings.filter((setting) => {
    const text = textOf(first[setting]);
    return others.every((version) => textOf(version[setting]) === text);
  });
  return Object.fromEntries(same.map((setting) => [setting, first[setting]]));
}

function textOf(value: unknown): string {
  return value === undefined ? '' : encodeJson(value);
}

function withoutSettings(version: DefinitionVersion, removed: VersionSettings): DefinitionVersion {
  const names: readonly string[] = Object.keys(removed);
  return Object.fromEntries(Object.entries(version).filter(([name]) => !names.includes(name))) as DefinitionVersion;
}

function definedSettings(common: VersionSettings): VersionSettings {
  return Object.fromEntries(
    Object.entries(common).filter(([, value]) => value !== undefined && value !== null),
  ) as VersionSettings;
}

type Column = Record<string, unknown>;

function withColumns(version: DefinitionVersion, convert: (column: Column) => Column): DefinitionVersion {
  const { additionalPrinterColumns } = version;
  if (additionalPrinterColumns === undefined || additionalPrinterColumns === null) return version;
  return { ...version, additionalPrinterColumns: columns(additionalPrinterColumns, convert) };
}

function columns(value: unknown, convert: (column: Column) => Column): unknown {
  return Array.isArray(value) ? value.map(convert) : undefined;
}

/** Both versions have this field, under different names. */
function toColumnV1beta1({ jsonPath, ...rest }: Column): Column {
  return { ...rest, JSONPath: jsonPath };
}

function toColumnV1({ JSONPath, jsonPath, ...rest }: Column): Column {
  return { ...rest, jsonPath: JSONPath ?? jsonPath };
}
