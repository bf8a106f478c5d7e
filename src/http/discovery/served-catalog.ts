import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import type { StructSchema } from '../../schema/model.ts';

/** The types that the server serves. */
export interface ServedCatalog {
  /** Changes with the content. Documents are cached for one generation. */
  readonly generation: number;
  /** All served versions of all types, in any order. */
  definitions(): readonly ResourceDefinition[];
  /** The kinds that are not resources: bodies and options of subresources. */
  kinds(): readonly ServedKind[];
  /** The groups in the order of `/apis`, with their preferred versions first. Other groups follow by name. */
  readonly groupOrder: readonly GroupEntry[];
}

/** Whether the type comes from a CustomResourceDefinition. */
export function isCustom(definition: ResourceDefinition): boolean {
  return 'published' in definition;
}

export interface ServedKind extends GroupVersion {
  readonly kind: string;
  readonly schema: StructSchema;
}

export interface GroupEntry {
  readonly group: string;
  readonly versions: readonly string[];
}
