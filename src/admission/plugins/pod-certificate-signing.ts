import type { Authorizer } from '../../authz/index.ts';
import { forbiddenValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, whenThere } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { invalid } from '../../meta/status-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-plugin.ts';
import { mayActForSigner } from './signer-permission.ts';

/** Pods get certificates from those who may sign for the signer. The refusal is one of the signer, not of the request. */
export function podCertificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'PodCertificateSigning',
    resources: ['certificates.k8s.io/podcertificaterequests/status'],
    validate({ group, name, object, stored, user }: AdmissionRequest): MaybePromise<void> {
      if (stored === undefined || chainOf(object) === chainOf(stored)) return;
      const { signerName = '' } = (stored.spec ?? {}) as { signerName?: string };
      return whenThere(mayActForSigner(authorizer, { user, verb: 'sign', signerName }), (allowed) => {
        if (allowed) return;
        const detail = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`;
        throw invalid({ group, kind: 'PodCertificateRequest' }, name, [forbiddenValue('spec.signerName', detail)]);
      });
    },
  };
}

function chainOf({ status }: ResourceObject): string {
  return ((status ?? {}) as { certificateChain?: string }).certificateChain ?? '';
}
