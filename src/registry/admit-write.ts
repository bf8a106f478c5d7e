import type { AdmissionRequest, AdmissionTarget } from '../admission/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ResourceDefinition } from './resource-definition.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly object: ResourceObject;
  readonly oldObject: ResourceObject | undefined;
  /** The namespace and name of the request, if they differ from those of the object. */
  readonly item?: { readonly namespace: string; readonly name: string };
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** Describes an endpoint of the resource to the admission plugins. */
export function admissionTarget(definition: ResourceDefinition, subresource = ''): AdmissionTarget {
  const { group, version, resource } = definition;
  const endpoint = definition.subresources.find(({ name }) => name === subresource);
  const { kind } = endpoint ?? definition;
  const kindVersion = endpoint?.groupVersion ?? { group, version };
  return {
    kind: { group: kindVersion.group, version: kindVersion.version, kind },
    resource: { group, version, resource },
    subresource,
  };
}

/** Describes a write through an endpoint to the admission plugins. */
export function admissionRequest(target: AdmissionTarget, write: AdmittedWrite): AdmissionRequest {
  const { namespace = '', name = '' } = write.item ?? write.object.metadata;
  const { kind, resource, subresource } = target;
  // No spread: it would cost more than all plugins that do not apply.
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
