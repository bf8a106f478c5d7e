import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ObjectReader } from '../../../meta/object-reader.ts';
import { notFound, type StatusError } from '../../../meta/status-error.ts';
import type { AdmissionRequest } from '../../admission-request.ts';

/** What a node wants to write. */
export interface NodeRequest {
  readonly node: string;
  readonly request: AdmissionRequest;
  readonly objects: ObjectReader;
}

/** Fails with a StatusError when the node may not do it. */
export type NodeCheck = (asked: NodeRequest) => MaybePromise<void>;

export const pods = { group: '', version: 'v1', resource: 'pods' };
export const nodes = { group: '', version: 'v1', resource: 'nodes' };

/** An object that a check needs. Its kind is named where other messages name the resource. */
export function missing(kind: string, name: string): StatusError {
  return notFound({ group: '', resource: kind }, name);
}
