import { isDeepStrictEqual } from 'node:util';
import type { Authorizer } from '../../authz/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { mayActForSigner } from './signer-permission.ts';

/** Only users with the `attest` permission for a signer may write its trust bundles. */
export function clusterTrustBundleAttest(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['certificates.k8s.io/clustertrustbundles'] }],
    validate(request): MaybePromise<void> {
      const { object, oldObject, user } = request;
      // The signer is immutable.
      const { signerName = '' } = (object.spec ?? {}) as { signerName?: string };
      // The garbage collector must be able to change owners and finalizers.
      if (
        signerName === '' ||
        (oldObject !== undefined && isDeepStrictEqual(attestedFields(object), attestedFields(oldObject)))
      )
        return;
      return mapMaybe(mayActForSigner(authorizer, { user, verb: 'attest', signerName }), (allowed) => {
        if (!allowed)
          throw admissionForbidden(request, `user not permitted to attest for signerName ${goQuote(signerName)}`);
      });
    },
  };
}

function attestedFields({ metadata, spec }: ResourceObject): object {
  const { labels = {}, annotations = {} } = metadata;
  const { signerName = '', trustBundle = '' } = (spec ?? {}) as { signerName?: string; trustBundle?: string };
  return { labels: { ...labels }, annotations: { ...annotations }, signerName, trustBundle };
}
