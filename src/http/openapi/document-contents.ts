import type { ServedCatalog } from '../discovery/served-catalog.ts';
import { servedGroups } from '../discovery/served-groups.ts';
import type { Descriptions } from './descriptions.ts';
import { coreVersionsPath, groupPath, groupsPath, resourcesPath, versionDocumentPath } from './discovery-paths.ts';
import { KindIndex } from './kind-index.ts';
import type { PathItem, ServedMediaTypes } from './operation.ts';
import { resourcePaths, versionPath } from './resource-paths.ts';

/** The described paths, divided into the documents of `/openapi/v3`. */
export interface DocumentContents {
  readonly kinds: KindIndex;
  readonly descriptions: Descriptions;
  /**
   * Maps the path without leading and trailing slashes, such as `api` or `apis/apps/v1`, to a function that computes
   * its items.
   */
  readonly pathItems: ReadonlyMap<string, () => readonly PathItem[]>;
}

export interface DocumentSources {
  readonly catalog: ServedCatalog;
  readonly media: ServedMediaTypes;
  readonly descriptions: Descriptions;
}

export function documentContents({ catalog, media, descriptions }: DocumentSources): DocumentContents {
  const kinds = new KindIndex(catalog);
  const pathItems = new Map<string, () => readonly PathItem[]>([
    ['api', () => [coreVersionsPath]],
    ['apis', () => [groupsPath]],
    ['version', () => [versionDocumentPath]],
  ]);
  for (const { name, versions } of servedGroups(catalog)) {
    if (name !== '') pathItems.set(`apis/${name}`, () => [groupPath(name)]);
    for (const { version, definitions } of versions) {
      const groupVersion = { group: name, version };
      pathItems.set(versionPath(groupVersion).slice(1), () => [
        resourcesPath(groupVersion),
        ...definitions.flatMap((definition) => resourcePaths(definition, { kinds, media, descriptions })),
      ]);
    }
  }
  return { kinds, descriptions, pathItems };
}
