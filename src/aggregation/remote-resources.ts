import type { GroupVersion } from '../meta/group-version.ts';

/** More than any server has. */
const maxResources = 2_000;
const maxItems = 100;
const maxTextLength = 1_000;

interface Kind extends GroupVersion {
  readonly kind: string;
}

interface SubresourceEntry {
  readonly subresource: string;
  readonly responseKind?: Kind;
  readonly verbs: readonly string[];
}

/** An entry of `APIVersionDiscovery.resources`, with its keys in the order of the encoding. */
export interface ResourceEntry {
  readonly resource: string;
  readonly responseKind?: Kind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  subresources?: SubresourceEntry[];
}

/**
 * The resources of a group version in the APIGroupDiscoveryList of another server. Empty if the version is not in it.
 * Throws a TypeError when it is not such a list.
 */
export function aggregatedResources(list: unknown, { group, version }: GroupVersion): ResourceEntry[] {
  for (const item of arrayOf(objectOf(list).items)) {
    const { metadata, versions } = objectOf(item);
    if ((objectOf(metadata ?? {}).name ?? '') !== group) continue;
    const found = arrayOf(versions)
      .map(objectOf)
      .find((one) => one.version === version);
    if (found !== undefined) return arrayOf(found.resources, maxResources).map(aggregatedEntry);
  }
  return [];
}

function aggregatedEntry(value: unknown): ResourceEntry {
  const entry = objectOf(value);
  const subresources = arrayOf(entry.subresources).map((each) => {
    const subresource = objectOf(each);
    return {
      subresource: nameOf(subresource.subresource),
      ...kindOf(subresource.responseKind),
      verbs: textsOf(subresource.verbs),
    };
  });
  return {
    resource: nameOf(entry.resource),
    ...kindOf(entry.responseKind),
    scope: entry.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: textOf(entry.singularResource),
    verbs: textsOf(entry.verbs),
    ...lists(entry),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** Like `aggregatedResources`, for an APIResourceList, in which subresources are separate entries. */
export function legacyResources(list: unknown): ResourceEntry[] {
  const entries = new Map<string, ResourceEntry>();
  for (const value of arrayOf(objectOf(list).resources, maxResources)) {
    const listed = objectOf(value);
    const [resource = '', subresource] = nameOf(listed.name).split('/', 2);
    const scope = listed.namespaced === true ? ('Namespaced' as const) : ('Cluster' as const);
    const verbs = textsOf(listed.verbs);
    const responseKind = kindOf(listed);
    if (subresource === undefined) {
      const { subresources } = entries.get(resource) ?? {};
      entries.set(resource, {
        resource,
        ...responseKind,
        scope,
        singularResource: textOf(listed.singularName),
        verbs,
        ...lists(listed),
        ...(subresources && { subresources }),
      });
      continue;
    }
    const parent = entries.get(resource) ?? { resource, scope, singularResource: '', verbs: [] };
    parent.subresources = [...(parent.subresources ?? []), { subresource, ...responseKind, verbs }];
    entries.set(resource, parent);
  }
  return [...entries.values()];
}

function lists(entry: Readonly<Record<string, unknown>>): Pick<ResourceEntry, 'shortNames' | 'categories'> {
  const shortNames = textsOf(entry.shortNames);
  const categories = textsOf(entry.categories);
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

function kindOf(value: unknown): { responseKind?: Kind } {
  if (value === undefined || value === null) return {};
  const { group, version, kind } = objectOf(value);
  return { responseKind: { group: textOf(group), version: textOf(version), kind: textOf(kind) } };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('an object is missing');
  return value as Readonly<Record<string, unknown>>;
}

function arrayOf(value: unknown, max = maxResources): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError('a list is missing');
  if (value.length > max) throw new TypeError(`a list has more than ${max} items`);
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > maxTextLength) throw new TypeError('a text is missing or too long');
  return value;
}

function nameOf(value: unknown): string {
  const name = textOf(value);
  if (name === '') throw new TypeError('a name is missing');
  return name;
}

function textsOf(value: unknown): string[] {
  return arrayOf(value, maxItems).map(textOf);
}
