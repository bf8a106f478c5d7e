import type { GroupVersion } from '../../meta/group-version.ts';
import { compareVersions } from '../../registry/compare-versions.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import type { GroupEntry, Priorities, RemoteVersion, ServedCatalog } from './served-catalog.ts';

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
  /** Set when another server serves the version. Then there are no definitions. */
  readonly remote?: RemoteVersion;
}

interface RankedVersion extends ServedVersion {
  readonly priorities: Priorities;
}

const customPriorities: Priorities = { group: 1000, version: 100 };

/** The content of the catalog by group: the core group first, then in the order of `/apis`. */
export function servedGroups(catalog: ServedCatalog): ServedGroup[] {
  const { registered } = catalog;
  const byDefault = defaultPriorities(catalog.groupOrder);
  const ranked = (group: string, version: ServedVersion): RankedVersion => {
    const groupVersion = { group, version: version.version };
    const priorities = registered?.priorities(groupVersion) ?? byDefault(groupVersion);
    return { ...version, priorities };
  };
  const groups = new Map<string, Map<string, RankedVersion>>();
  const put = (group: string, version: ServedVersion): void => {
    const versions = groups.get(group) ?? new Map<string, RankedVersion>();
    groups.set(group, versions.set(version.version, ranked(group, version)));
  };
  for (const [group, definitions] of Map.groupBy(catalog.definitions(), (definition) => definition.group)) {
    for (const [version, ofVersion] of Map.groupBy(definitions, (definition) => definition.version)) {
      put(group, { version, definitions: ofVersion.sort((a, b) => byText(a.resource, b.resource)) });
    }
  }
  for (const remote of registered?.remote() ?? []) {
    put(remote.group, { version: remote.version, definitions: [], remote });
  }
  return Array.from(groups, ([name, versions]) => ({
    name,
    priority: name === '' ? Infinity : Math.max(...Array.from(versions.values(), ({ priorities }) => priorities.group)),
    versions: [...versions.values()].sort(
      (a, b) => b.priorities.version - a.priorities.version || compareVersions(a.version, b.version),
    ),
  })).sort((a, b) => b.priority - a.priority || byText(a.name, b.name));
}

function defaultPriorities(order: readonly GroupEntry[]): (groupVersion: GroupVersion) => Priorities {
  const entries = new Map(order.map((entry) => [entry.group, entry]));
  return ({ group, version }) => {
    const entry = entries.get(group);
    if (entry === undefined) return customPriorities;
    return { group: entry.priority, version: entry.versions[version] ?? 1 };
  };
}

/** Compares by code units, as Go sorts: `pods/status` precedes `podtemplates`. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
