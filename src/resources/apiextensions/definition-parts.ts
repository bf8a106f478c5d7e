import { isDeepStrictEqual } from 'node:util';
import type { ResourceObject } from '../../meta/object.ts';
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
} from './custom-resource-definition-types.ts';

export function specOf(object: ResourceObject): CustomResourceDefinitionSpec {
  return (object.spec ?? {}) as CustomResourceDefinitionSpec;
}

export function statusOf(object: ResourceObject): CustomResourceDefinitionStatus {
  return (object.status ?? {}) as CustomResourceDefinitionStatus;
}

export function isEstablished(object: ResourceObject): boolean {
  return !!statusOf(object).conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
}

/** A definition as kube-apiserver validates it. This decides the field paths of errors. */
export interface GatheredVersions {
  /** The fields that are equal in all versions. `versions` omits them. */
  readonly common: VersionFields;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

/** The fields that may differ between versions. */
const versionFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export type VersionFields = Pick<CustomResourceDefinitionVersion, (typeof versionFields)[number]>;

export function gatherVersions(versions: readonly CustomResourceDefinitionVersion[]): GatheredVersions {
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
