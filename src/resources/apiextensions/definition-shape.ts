import { isDeepStrictEqual } from 'node:util';
import type { ResourceObject } from '../../meta/object.ts';
import type { WebhookClientConfig } from '../admissionregistration/webhook-client-validation.ts';
import type { JsonSchema } from './json-schema.ts';

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

/** What each version may have of its own. */
export interface VersionParts {
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface DefinitionVersion extends VersionParts {
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

/** A definition the way Kubernetes validates it, which decides where findings are. */
export interface GatheredVersions {
  /** What all versions have alike; it is then left out of them. */
  readonly common: VersionParts;
  readonly versions: readonly DefinitionVersion[];
}

const partNames = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function gatherVersions(versions: readonly DefinitionVersion[]): GatheredVersions {
  const [first] = versions;
  if (first === undefined) return { common: {}, versions };
  const alike = partNames.filter((part) => versions.every((version) => isDeepStrictEqual(version[part], first[part])));
  const common: Record<string, unknown> = {};
  for (const part of alike) if (first[part] !== undefined) common[part] = first[part];
  const without = Object.fromEntries(alike.map((part) => [part, undefined]));
  return { common, versions: versions.map((version) => ({ ...version, ...without })) };
}
