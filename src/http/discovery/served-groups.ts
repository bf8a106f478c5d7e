import { compareVersions } from '../../registry/compare-versions.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import type { GroupEntry, ServedCatalog } from './served-catalog.ts';

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred version comes first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly version: string;
  /** Sorted by resource name. */
  readonly definitions: readonly ResourceDefinition[];
}

/** The content of the catalog by group: the core group first, then in the order of `/apis`. */
export function servedGroups(catalog: ServedCatalog): ServedGroup[] {
  const entries = new Map(catalog.groupOrder.map((group, rank) => [group.group, { ...group, rank }]));
  const rankOf = (name: string) => (name === '' ? -1 : (entries.get(name)?.rank ?? entries.size));
  return [...Map.groupBy(catalog.definitions(), (definition) => definition.group)]
    .map(([name, definitions]) => ({ name, versions: servedVersions(definitions, entries.get(name)) }))
    .sort((a, b) => rankOf(a.name) - rankOf(b.name) || byText(a.name, b.name));
}

function servedVersions(definitions: readonly ResourceDefinition[], entry: GroupEntry | undefined): ServedVersion[] {
  const named = entry?.versions ?? [];
  const rankOf = (version: string) => (named.includes(version) ? named.indexOf(version) : named.length);
  return [...Map.groupBy(definitions, (definition) => definition.version)]
    .map(([version, ofVersion]) => ({
      version,
      definitions: ofVersion.sort((a, b) => byText(a.resource, b.resource)),
    }))
    .sort((a, b) => rankOf(a.version) - rankOf(b.version) || compareVersions(a.version, b.version));
}

/** Compares by code units, as Go sorts: `pods/status` precedes `podtemplates`. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
