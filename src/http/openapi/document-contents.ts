import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { isCustom } from '../discovery/served-catalog.ts';
import type { ServedGroup } from '../discovery/served-groups.ts';
import { coreVersionsPath, groupPath, groupsPath, resourcesPath, versionDocumentPath } from './discovery-paths.ts';
import type { PathItem } from './operation.ts';
import type { OperationContext } from './resource-operations.ts';
import { resourcePaths, versionPath } from './resource-paths.ts';

/** The content of one document of `/openapi/v3`. */
export interface DocumentContents {
  /** The path without leading and trailing slashes, such as `api` or `apis/apps/v1`. */
  readonly name: string;
  /** Documents of the same name with the same definitions are the same. */
  readonly definitions: readonly ResourceDefinition[];
  /** Paths that do not belong to a definition. */
  readonly fixed: readonly PathItem[];
}

/** All documents about types of this server. Custom types have no documents about discovery. */
export function documentContents(groups: readonly ServedGroup[]): DocumentContents[] {
  return [
    { name: 'api', definitions: [], fixed: [coreVersionsPath] },
    { name: 'apis', definitions: [], fixed: [groupsPath] },
    { name: 'version', definitions: [], fixed: [versionDocumentPath] },
    ...groups.flatMap(groupContents),
  ];
}

function groupContents({ name: group, versions }: ServedGroup): DocumentContents[] {
  const contents = versions
    .filter(({ remote }) => remote === undefined)
    .map(({ version, definitions }) => ({
      name: versionPath({ group, version }).slice(1),
      definitions,
      fixed: definitions.every(isCustom) ? [] : [resourcesPath({ group, version })],
    }));
  if (group === '' || contents.every(({ fixed }) => fixed.length === 0)) return contents;
  return [{ name: `apis/${group}`, definitions: [], fixed: [groupPath(group)] }, ...contents];
}

/** The described paths, computed one definition at a time. */
export function* pathItems(
  { fixed, definitions }: Pick<DocumentContents, 'fixed' | 'definitions'>,
  contextOf: (definition: ResourceDefinition) => OperationContext,
): Generator<PathItem> {
  yield* fixed;
  for (const definition of definitions) yield* resourcePaths(definition, contextOf(definition));
}
