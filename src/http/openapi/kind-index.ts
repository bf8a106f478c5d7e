import type { GroupVersion } from '../../meta/group-version.ts';
import { field, listOf, struct } from '../../schema/builders.ts';
import {
  APIGroup,
  APIGroupList,
  APIResourceList,
  APIVersions,
  DeleteOptions,
  ListMeta,
  Status,
  WatchEvent,
} from '../../schema/meta-types.ts';
import type { StructSchema } from '../../schema/model.ts';
import type { ServedKind } from '../discovery/served-catalog.ts';

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** Kinds that belong to v1 of the core group. */
const sharedKinds = { Status, APIGroup, APIGroupList, APIResourceList, APIVersions };

/** Kinds that belong to every version. */
const kindsOfAllVersions = { DeleteOptions, WatchEvent };

/** The types that are kinds, with their group, version and kind names. */
export class KindIndex {
  readonly #kinds = new Map<string, GroupVersionKind[]>();
  readonly #types = new Map<string, StructSchema>();
  readonly #lists = new Map<string, StructSchema>();

  /** `versions` are those of the kinds that belong to all versions. By default the versions of the other kinds. */
  constructor(kinds: Iterable<ServedKind>, versions?: readonly GroupVersion[]) {
    for (const served of kinds) this.#add(served.schema, served);
    for (const [kind, schema] of Object.entries(sharedKinds)) this.#add(schema, { group: '', version: 'v1', kind });
    for (const { group, version } of versions ?? this.#servedVersions()) {
      for (const [kind, schema] of Object.entries(kindsOfAllVersions)) this.#add(schema, { group, version, kind });
    }
  }

  /** Whether objects of the type have `kind` and `apiVersion`. Events of a watch do not, although they are a kind. */
  hasKindFields(type: StructSchema): boolean {
    return type !== WatchEvent && this.#kinds.has(type.name);
  }

  /** Sorted. Empty for a type that is not a kind. */
  kindsOf(type: StructSchema): readonly GroupVersionKind[] {
    const kinds = this.#kinds.get(type.name) ?? [];
    return kinds.length > 1 ? kinds.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) : kinds;
  }

  typeOf(kind: GroupVersionKind): StructSchema | undefined {
    return this.#types.get(keyOf(kind));
  }

  /** The response type of a list request. */
  listOf(item: StructSchema, { group, version, kind }: GroupVersionKind): StructSchema {
    const name = `${item.name}List`;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const list = struct(name, () => ({
      metadata: field(1, ListMeta),
      items: field(2, listOf(item), { required: true, always: true }),
    }));
    this.#lists.set(name, list);
    this.#add(list, { group, version, kind: `${kind}List` });
    return list;
  }

  #add(type: StructSchema, { group, version, kind }: GroupVersionKind): void {
    const named = { group, kind, version };
    this.#types.set(keyOf(named), type);
    const kinds = this.#kinds.get(type.name);
    if (kinds === undefined) this.#kinds.set(type.name, [named]);
    else if (!kinds.some((known) => keyOf(known) === keyOf(named))) kinds.push(named);
  }

  #servedVersions(): readonly GroupVersion[] {
    const kinds = [...this.#kinds.values()].flat();
    return [...new Map(kinds.map((kind) => [`${kind.group}/${kind.version}`, kind])).values()];
  }
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
