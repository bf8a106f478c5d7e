import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** The target of a request, in the terms of an AdmissionReview. It is the same for all requests to one endpoint. */
export interface AdmissionTarget {
  /** The kind of `object`: that of the subresource if it has one, such as `Scale`. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for the main resource. */
  readonly subresource: string;
}

export interface AdmissionRequest extends AdmissionTarget {
  readonly operation: AdmissionOperation;
  /** Empty for cluster-scoped types. For a Namespace it is its name. */
  readonly namespace: string;
  /** Empty before the name is generated. */
  readonly name: string;
  /** The object to be stored. `mutate` may change it, `validate` must not. For a deletion the same as `oldObject`. */
  readonly object: ResourceObject;
  /** Undefined for a new object. */
  readonly oldObject: ResourceObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}
