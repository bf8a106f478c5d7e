import type { GroupVersion } from '../../meta/group-version.ts';
import type { CustomDefinition, ResourceDefinition } from '../../registry/resource-definition.ts';
import type { StructSchema } from '../../schema/model.ts';

/** The types that the server serves. */
export interface ServedCatalog {
  /** Changes with the content. Documents are cached for one generation. */
  readonly generation: number;
  /** All served versions of all types, in any order. */
  definitions(): readonly ResourceDefinition[];
  /** The kinds that are not resources: bodies and options of subresources. */
  kinds(): readonly ServedKind[];
  /**
   * The group versions that kinds of all groups, such as `DeleteOptions`, belong to. By default those that have types.
   */
  readonly knownVersions?: readonly KnownVersion[];
  /** The built-in groups, except the core group. */
  readonly groupOrder: readonly GroupEntry[];
  /** The registered APIServices. Absent when there are none. */
  readonly registered?: RegisteredVersions;
}

export interface Priorities {
  /** Groups with a higher priority come first, and those with the same by name. */
  readonly group: number;
  /** The priority of the version in its group. */
  readonly version: number;
}

export interface RegisteredVersions {
  /** Undefined for a group version without an APIService. */
  priorities(groupVersion: GroupVersion): Priorities | undefined;
  /** The group versions of other servers. They replace those of this server. */
  remote(): readonly RemoteVersion[];
}

export interface KnownVersion extends GroupVersion {
  /** Whether documents about custom types do not mention it. */
  readonly serverOnly: boolean;
}

/** A group version that another server serves. */
export interface RemoteVersion extends GroupVersion {
  /** Entries of `APIVersionDiscovery.resources`, as that server last described them. */
  readonly resources: readonly object[];
  /** Whether the server has answered the last request for them. */
  readonly isCurrent: boolean;
}

/** Whether the type comes from a CustomResourceDefinition. */
export function isCustom(definition: ResourceDefinition): definition is CustomDefinition {
  return definition.origin === 'custom';
}

export interface ServedKind extends GroupVersion {
  readonly kind: string;
  readonly schema: StructSchema;
}

export interface GroupEntry {
  readonly group: string;
  readonly priority: number;
  /** The priorities of the versions. */
  readonly versions: Readonly<Record<string, number>>;
}
