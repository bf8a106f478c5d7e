import type { AdmissionRequest } from '../admission/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ResourceContext } from './resource-context.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly subresource: string;
  readonly object: ResourceObject;
  readonly stored: ResourceObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** What the admission plugins are asked about a write of this resource. */
export function admissionRequest({ definition }: ResourceContext, write: AdmittedWrite): AdmissionRequest {
  const { metadata } = write.object;
  // Written out, because spreading the parts costs more than all the plugins that have nothing to do.
  return {
    operation: write.operation,
    group: definition.group,
    version: definition.version,
    resource: definition.resource,
    subresource: write.subresource,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    object: write.object,
    stored: write.stored,
    user: write.user,
    dryRun: write.dryRun,
    warn: write.warn,
  };
}

/**
 * Lets the plugins complete the object. The fields that they fill in have their places kept by the schema (`defaulted`), so it
 * stays in canonical form.
 */
export function mutate(context: ResourceContext, write: AdmittedWrite): MaybePromise<void> {
  return context.admission?.mutate(admissionRequest(context, write));
}
