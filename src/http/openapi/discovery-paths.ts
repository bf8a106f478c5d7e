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
  readonly type: StructSchema;
}

/** Discovery paths support JSON only. */
function documentPath({ path, id, tag, description, type }: DocumentPath): PathItem {
  const responses = [{ code: 200, type } as const];
  const operation = {
    method: 'get',
    id,
    tag,
    description,
    parameters: [],
    produces: ['application/json'],
    responses,
  } as const;
  return { path, parameters: [], operations: [operation] };
}

export const versionDocumentPath = documentPath({
  path: '/version/',
  id: 'getCodeVersion',
  tag: 'version',
  description: 'the version of the server',
  type: VersionInfo,
});

export const groupsPath = documentPath({
  path: '/apis/',
  id: 'getAPIVersions',
  tag: 'apis',
  description: 'the API groups',
  type: APIGroupList,
});

export const coreVersionsPath = documentPath({
  path: '/api/',
  id: 'getCoreAPIVersions',
  tag: 'core',
  description: 'the versions of the core group',
  type: APIVersions,
});

export function groupPath(group: string): PathItem {
  return documentPath({
    path: `/apis/${group}/`,
    id: `get${groupWord(group)}APIGroup`,
    tag: tagOf({ group }),
    description: 'the versions of a group',
    type: APIGroup,
  });
}

export function resourcesPath(groupVersion: { group: string; version: string }): PathItem {
  return documentPath({
    path: `${versionPath(groupVersion)}/`,
    id: `get${groupWord(groupVersion.group)}${capitalized(groupVersion.version)}APIResources`,
    tag: tagOf(groupVersion),
    description: 'the resources of a version',
    type: APIResourceList,
  });
}
