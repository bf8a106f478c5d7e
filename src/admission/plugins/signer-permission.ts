import type { Authorizer, Decision } from '../../authz/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

type SignerVerb = 'approve' | 'attest' | 'sign';

/** Rejects a change of a certificate request by a user without the permission for its signer. */
export function requireSignerPermission(
  authorizer: Authorizer,
  request: AdmissionRequest,
  verb: SignerVerb,
): MaybePromise<void> {
  // Use the signer of the existing object, so that changing it does not bypass the check.
  const { signerName = '' } = (request.oldObject?.spec ?? {}) as { signerName?: string };
  return mapMaybe(mayActForSigner(authorizer, { user: request.user, verb, signerName }), (allowed) => {
    if (!allowed)
      throw admissionForbidden(
        request,
        `user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`,
      );
  });
}

export interface SignerAction {
  readonly user: UserInfo;
  readonly verb: SignerVerb;
  readonly signerName: string;
}

/** Checks the permission for this signer and, failing that, for its whole domain. */
export function mayActForSigner(authorizer: Authorizer, action: SignerAction): MaybePromise<boolean> {
  const { signerName } = action;
  const orForDomain = (decision: Decision): MaybePromise<boolean> => {
    if (isAllowed(decision)) return true;
    // A failed check is not a permission.
    if (decision.error !== undefined) return false;
    const wider = authorizeFor(authorizer, action, `${signerName.split('/')[0]}/*`);
    return wider instanceof Promise ? wider.then(isAllowed) : isAllowed(wider);
  };
  const decided = authorizeFor(authorizer, action, signerName);
  return decided instanceof Promise ? decided.then(orForDomain) : orForDomain(decided);
}

/** The resource is virtual: it exists only in permissions that name signers. */
function authorizeFor(authorizer: Authorizer, { user, verb }: SignerAction, name: string): MaybePromise<Decision> {
  const group = 'certificates.k8s.io';
  const resource = { group, version: '*', resource: 'signers', subresource: '', namespace: '', name };
  return authorizer.authorize({ user, verb, resource });
}

function isAllowed({ decision }: Decision): boolean {
  return decision === 'allow';
}
