import type { AdmissionRequest, AdmissionTarget } from '../admission/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ResourceDefinition } from './resource-definition.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly object: ResourceObject;
  readonly oldObject: ResourceObject | undefined;
  /** Where the request is addressed to, when that is not what the object says. */
  readonly item?: { readonly namespace: string; readonly name: string };
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** How an endpoint of the resource is named to the admission plugins. */
export function admissionTarget(definition: ResourceDefinition, subresource = ''): AdmissionTarget {
  const { group, version, resource } = definition;
  const part = definition.subresources.find(({ name }) => name === subresource);
  const { kind } = part ?? definition;
  const kindVersion = part?.groupVersion ?? { group, version };
  return {
    kind: { group: kindVersion.group, version: kindVersion.version, kind },
    resource: { group, version, resource },
    subresource,
  };
}

/** What the admission plugins are asked about a write through an endpoint. */
export function admissionRequest(target: AdmissionTarget, write: AdmittedWrite): AdmissionRequest {
  const { namespace = '', name = '' } = write.item ?? write.object.metadata;
  const { kind, resource, subresource } = target;
  // Written out, because spreading the parts costs more than all the plugins that have nothing to do.
  return {
    operation: write.operation,
    kind,
    resource,
    subresource,
    namespace: kind.kind === 'Namespace' && kind.group === '' ? name : namespace,
    name,
    object: write.object,
    oldObject: write.oldObject,
    user: write.user,
    dryRun: write.dryRun,
    warn: write.warn,
  };
}
