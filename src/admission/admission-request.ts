import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What a request is about, in the words of an AdmissionReview. The same for all requests to one endpoint. */
export interface AdmissionTarget {
  /** The kind of `object`: that of the subresource where it has one of its own, such as `Scale`. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for the main resource. */
  readonly subresource: string;
}

export interface AdmissionRequest extends AdmissionTarget {
  readonly operation: AdmissionOperation;
  /** Empty for cluster-scoped types. A Namespace is in the namespace that it is. */
  readonly namespace: string;
  /** Empty while it is not made yet. */
  readonly name: string;
  /** As it would be stored; `mutate` may change it, `validate` must not. For a deletion the same as `oldObject`. */
  readonly object: ResourceObject;
  /** Undefined for a new object. */
  readonly oldObject: ResourceObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}
