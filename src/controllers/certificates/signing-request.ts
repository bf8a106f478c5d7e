import type { ResourceObject } from '../../meta/object.ts';
import type { ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';

export const signingRequests = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
};

export interface SigningRequest extends ResourceObject {
  readonly spec: {
    /** Base64 of PEM. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: {
    readonly conditions?: readonly RequestCondition[];
    /** Base64 of PEM. */
    readonly certificate?: string;
  };
}

export interface RequestCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
}

export function isIssued({ status }: SigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}

export function conditionOf({ status }: SigningRequest, type: string): RequestCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Returns a copy with one more condition. */
export function withCondition(request: SigningRequest, condition: Omit<RequestCondition, 'status'>): SigningRequest {
  const conditions = [...(request.status?.conditions ?? []), { status: 'True', ...condition }];
  return { ...request, status: { ...request.status, conditions } };
}

/** Writes a subresource of the request. A deleted request is not an error. */
export async function writeRequest(
  { client }: Pick<ControllerTools, 'client'>,
  request: SigningRequest,
  subresource: 'approval' | 'status',
): Promise<void> {
  await client.resource<SigningRequest>(signingRequests).update(request, { subresource }).catch(ignoreNotFound);
}
