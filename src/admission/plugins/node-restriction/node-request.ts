import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ObjectReader } from '../../../meta/object-reader.ts';
import { notFound, type StatusError } from '../../../meta/status-error.ts';
import type { AdmissionRequest } from '../../admission-request.ts';

/** A write by a node. */
export interface NodeRequest {
  readonly node: string;
  readonly request: AdmissionRequest;
  readonly objects: ObjectReader;
}

/** Fails with a StatusError when the node may not do this. */
export type NodeCheck = (request: NodeRequest) => MaybePromise<void>;

export const pods = { group: '', version: 'v1', resource: 'pods' };
export { nodes } from '../node-of-pod.ts';

/** The error for a missing object that a check needs. It names the kind where other messages name the resource. */
export function objectNotFound(kind: string, name: string): StatusError {
  return notFound({ group: '', resource: kind }, name);
}
