import type { GroupVersion } from '../../meta/group-version.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../schema/meta-types.ts';
import type { StructSchema } from '../../schema/model.ts';
import type { PathItem } from './operation.ts';
import { capitalized, groupWord, tagOf } from './operation-id.ts';
import { versionPath } from './resource-paths.ts';
import { VersionInfo } from './version-type.ts';

interface DocumentPath {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly type: StructSchema | 'text';
  readonly produces: readonly string[];
}

const json = ['application/json'];

function textPath({ path, id, tag, description, type, produces }: DocumentPath): PathItem {
  const responses = [{ code: 200, type } as const];
  return {
    path,
    parameters: [],
    operations: [{ method: 'get', id, tag, description, parameters: [], produces, responses }],
  };
}

/** The path of a document in several media types, which are also stated as those of the missing body. */
function documentPath(document: DocumentPath): PathItem {
  const { operations, ...item } = textPath(document);
  return { ...item, operations: operations.map((operation) => ({ ...operation, consumes: document.produces })) };
}

export const versionDocumentPath = documentPath({
  path: '/version/',
  id: 'getCodeVersion',
  tag: 'version',
  description: 'the version of the server',
  type: VersionInfo,
  produces: json,
});

export const issuerConfigurationPath = textPath({
  path: '/.well-known/openid-configuration/',
  id: 'getServiceAccountIssuerOpenIDConfiguration',
  tag: 'WellKnown',
  description: 'the OpenID configuration of the issuer of service account tokens',
  type: 'text',
  produces: json,
});

export const issuerKeysPath = textPath({
  path: '/openid/v1/jwks/',
  id: 'getServiceAccountIssuerOpenIDKeyset',
  tag: 'openid',
  description: 'the public keys of the issuer of service account tokens',
  type: 'text',
  produces: ['application/jwk-set+json'],
});

/** The paths of discovery, in these media types. */
export function discoveryPaths(produces: readonly string[]): DiscoveryPaths {
  return {
    groups: documentPath({
      path: '/apis/',
      id: 'getAPIVersions',
      tag: 'apis',
      description: 'the API groups',
      type: APIGroupList,
      produces,
    }),
    coreVersions: documentPath({
      path: '/api/',
      id: 'getCoreAPIVersions',
      tag: 'core',
      description: 'the versions of the core group',
      type: APIVersions,
      produces,
    }),
    group: (group) =>
      documentPath({
        path: `/apis/${group}/`,
        id: `get${groupWord(group)}APIGroup`,
        tag: tagOf({ group }),
        description: 'the versions of a group',
        type: APIGroup,
        produces,
      }),
    resources: (groupVersion) =>
      documentPath({
        path: `${versionPath(groupVersion)}/`,
        id: `get${groupWord(groupVersion.group)}${capitalized(groupVersion.version)}APIResources`,
        tag: tagOf(groupVersion),
        description: 'the resources of a version',
        type: APIResourceList,
        produces,
      }),
  };
}

export interface DiscoveryPaths {
  readonly groups: PathItem;
  readonly coreVersions: PathItem;
  readonly group: (group: string) => PathItem;
  readonly resources: (groupVersion: GroupVersion) => PathItem;
}
