import type { Authorizer } from '../../authz/index.ts';
import { forbiddenValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { mayActForSigner } from './signer-permission.ts';

/**
 * Only users with the `sign` permission for the signer may issue pod certificates. The error names the signer, not the
 * request.
 */
export function podCertificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'PodCertificateSigning',
    rules: [{ operations: ['UPDATE'], resources: ['certificates.k8s.io/podcertificaterequests/status'] }],
    validate({ kind, name, object, oldObject, user }): MaybePromise<void> {
      if (oldObject === undefined || chainOf(object) === chainOf(oldObject)) return;
      const { signerName = '' } = (oldObject.spec ?? {}) as { signerName?: string };
      return mapMaybe(mayActForSigner(authorizer, { user, verb: 'sign', signerName }), (allowed) => {
        if (allowed) return;
        const detail = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`;
        throw invalid(kind, name, [forbiddenValue('spec.signerName', detail)]);
      });
    },
  };
}

function chainOf({ status }: ResourceObject): string {
  return ((status ?? {}) as { certificateChain?: string }).certificateChain ?? '';
}
