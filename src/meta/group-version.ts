export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `apps/v1`, or `v1` for the core group: the text of an object's `apiVersion`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, or `pods` for the core group, as error messages name a resource. */
export function qualifiedResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Deployment.apps`, or `Pod` for the core group, as error messages name a kind. */
export function qualifiedKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
