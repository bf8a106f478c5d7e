import { isDeepStrictEqual } from 'node:util';
import type { ResourceObject } from '../../meta/object.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import type { WebhookClientConfig } from '../admissionregistration/webhook-client-validation.ts';

export interface DefinitionSpec {
  readonly group?: string;
  readonly names?: DefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly DefinitionVersion[] | null;
  conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  readonly plural?: string;
  singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  listKind?: string;
  readonly categories?: readonly string[];
}

/** The fields that may differ between versions. */
export interface VersionFields {
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface DefinitionVersion extends VersionFields {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
}

export interface Subresources {
  readonly status?: object;
  readonly scale?: {
    readonly specReplicasPath?: string;
    readonly statusReplicasPath?: string;
    readonly labelSelectorPath?: string;
  };
}

export interface PrinterColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

export interface Conversion {
  strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[] | null;
  };
}

export interface DefinitionStatus {
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] | null;
  readonly acceptedNames?: DefinitionNames;
  storedVersions?: readonly string[] | null;
}

export function specOf(object: ResourceObject): DefinitionSpec {
  return (object.spec ?? {}) as DefinitionSpec;
}

export function statusOf(object: ResourceObject): DefinitionStatus {
  return (object.status ?? {}) as DefinitionStatus;
}

export function isEstablished(object: ResourceObject): boolean {
  return !!statusOf(object).conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
}

/** A definition as kube-apiserver validates it. This decides the field paths of errors. */
export interface GatheredVersions {
  /** The fields that are equal in all versions. `versions` omits them. */
  readonly common: VersionFields;
  readonly versions: readonly DefinitionVersion[];
}

const versionFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function gatherVersions(versions: readonly DefinitionVersion[]): GatheredVersions {
  const [first] = versions;
  if (first === undefined) return { common: {}, versions };
  const equal = versionFields.filter((field) =>
    versions.every((version) => isDeepStrictEqual(version[field], first[field])),
  );
  const common: Record<string, unknown> = {};
  for (const field of equal) if (first[field] !== undefined) common[field] = first[field];
  const without = Object.fromEntries(equal.map((field) => [field, undefined]));
  return { common, versions: versions.map((version) => ({ ...version, ...without })) };
}
