/** A type of discovery in one version. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
}

export type TypeName = Pick<ResourceType, 'group' | 'version' | 'resource'>;

export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

export function typeKey({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The path of a collection, or of an object in it. */
export function resourcePath(type: TypeName, at: { namespace?: string | undefined; name?: string } = {}): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const namespace = at.namespace ? `/namespaces/${encodeURIComponent(at.namespace)}` : '';
  const name = at.name === undefined ? '' : `/${encodeURIComponent(at.name)}`;
  return `${root}${namespace}/${type.resource}${name}`;
}
