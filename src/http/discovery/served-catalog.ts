import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import type { StructSchema } from '../../schema/model.ts';

/** What the server serves now. */
export interface ServedCatalog {
  /** Another number whenever the content is another; documents are kept as long as it stays. */
  readonly generation: number;
  /** All served versions of all types, in any order. */
  definitions(): readonly ResourceDefinition[];
  /** The kinds that are no resource of their own: bodies and options of subresources. */
  kinds(): readonly ServedKind[];
  /** The groups as `/apis` lists them, with their preferred versions first. Others follow by name. */
  readonly groupOrder: readonly GroupEntry[];
}

export interface ServedKind extends GroupVersion {
  readonly kind: string;
  readonly schema: StructSchema;
}

export interface GroupEntry {
  readonly group: string;
  readonly versions: readonly string[];
}
