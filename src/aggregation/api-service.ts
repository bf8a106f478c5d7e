import type { GroupVersion } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';

/** Registers the server of a group version. Without `service` it is this server. */
export interface APIService extends ResourceObject {
  readonly spec: APIServiceSpec;
  readonly status?: { readonly conditions?: readonly APIServiceCondition[] };
}

export interface APIServiceSpec {
  /** Absent for the core group. */
  readonly group?: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  readonly service?: ServiceReference;
  /** PEM in base64. */
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: boolean;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
}

export interface APIServiceCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** An APIService of another server. */
export type RemoteAPIService = APIService & { readonly spec: { readonly service: ServiceReference } };

export const apiServiceType = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' } as const;

export function apiServiceName({ group, version }: GroupVersion): string {
  return `${version}.${group}`;
}

/** A version has no dots. */
export function groupVersionOf(name: string): GroupVersion {
  const dot = name.indexOf('.');
  return { version: name.slice(0, dot), group: name.slice(dot + 1) };
}

/** The APIService of this group itself always is the one of this server. */
export function isRemote(apiService: APIService): apiService is RemoteAPIService {
  return apiService.spec.service !== undefined && apiService.spec.group !== apiServiceType.group;
}

export function isAvailable({ status }: APIService): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === 'Available' && condition.status === 'True') === true
  );
}

/** The path below which the group version is served. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}
