import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { isCustom } from '../discovery/served-catalog.ts';
import type { ServedGroup } from '../discovery/served-groups.ts';
import {
  type DiscoveryPaths,
  discoveryPaths,
  issuerConfigurationPath,
  issuerKeysPath,
  versionDocumentPath,
} from './discovery-paths.ts';
import type { PathItem } from './operation.ts';
import type { OperationContext } from './resource-operations.ts';
import { resourcePaths, versionPath } from './resource-paths.ts';

/** The content of one document of `/openapi/v3`. */
export interface DocumentContents {
  /** The path without leading and trailing slashes, such as `api` or `apis/apps/v1`. */
  readonly name: string;
  /** Documents of the same name with the same definitions are the same. */
  readonly definitions: readonly ResourceDefinition[];
  /** Undefined for documents about other things than types. */
  readonly groupVersion?: GroupVersion;
  /** Paths that do not belong to a definition. */
  readonly fixed: readonly PathItem[];
}

export interface DocumentScope {
  readonly groups: readonly ServedGroup[];
  /** The media types of discovery. */
  readonly discovery: readonly string[];
  /** Whether the server serves the configuration and the keys of the issuer of service account tokens. */
  readonly servesIssuer: boolean;
}

/** All documents about types of this server. Custom types have no documents about discovery. */
export function documentContents({ groups, discovery, servesIssuer }: DocumentScope): DocumentContents[] {
  const paths = discoveryPaths(discovery);
  return [
    { name: 'api', definitions: [], fixed: [paths.coreVersions] },
    { name: 'apis', definitions: [], fixed: [paths.groups] },
    { name: 'version', definitions: [], fixed: [versionDocumentPath] },
    ...(servesIssuer ? issuerContents : []),
    ...groups.flatMap((group) => groupContents(group, paths)),
  ];
}

const issuerContents: readonly DocumentContents[] = [
  { name: '.well-known/openid-configuration', definitions: [], fixed: [issuerConfigurationPath] },
  { name: 'openid/v1/jwks', definitions: [], fixed: [issuerKeysPath] },
];

function groupContents({ name: group, versions }: ServedGroup, paths: DiscoveryPaths): DocumentContents[] {
  const contents = versions
    .filter(({ remote }) => remote === undefined)
    .map(({ version, definitions }) => ({
      name: versionPath({ group, version }).slice(1),
      definitions,
      groupVersion: { group, version },
      fixed: definitions.every(isCustom) ? [] : [paths.resources({ group, version })],
    }));
  if (group === '' || contents.every(({ fixed }) => fixed.length === 0)) return contents;
  return [{ name: `apis/${group}`, definitions: [], fixed: [paths.group(group)] }, ...contents];
}

/** The described paths, computed one definition at a time. */
export function* pathItems(
  { fixed, definitions }: Pick<DocumentContents, 'fixed' | 'definitions'>,
  contextOf: (definition: ResourceDefinition) => OperationContext,
): Generator<PathItem> {
  yield* fixed;
  for (const definition of definitions) yield* resourcePaths(definition, contextOf(definition));
}
