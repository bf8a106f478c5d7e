import type { AdmissionRequest } from '../admission/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceContext } from './resource-context.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly subresource: string;
  readonly object: ResourceObject;
  readonly stored: ResourceObject | undefined;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

/** What the admission plugins are asked about a write of this resource. */
export function admissionRequest({ definition }: ResourceContext, write: AdmittedWrite): AdmissionRequest {
  const { group, version, resource } = definition;
  const { namespace = '', name = '' } = write.object.metadata;
  return { group, version, resource, namespace, name, ...write };
}

/** The object as the plugins have completed it, with every field in its place. */
export async function mutated(context: ResourceContext, write: AdmittedWrite): Promise<ResourceObject> {
  const { admission } = context;
  const request = admissionRequest(context, write);
  if (admission === undefined || !admission.mutates(request)) return write.object;
  await admission.mutate(request);
  return context.canonical(write.object);
}
