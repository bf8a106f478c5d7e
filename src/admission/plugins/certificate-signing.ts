import { isDeepStrictEqual } from 'node:util';
import type { Authorizer } from '../../authz/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { requireSignerPermission } from './signer-permission.ts';

/** Only users with the `sign` permission for the signer may issue certificates or mark requests as failed. */
export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    rules: [{ operations: ['UPDATE'], resources: ['certificates.k8s.io/certificatesigningrequests/status'] }],
    validate(request) {
      const { object, oldObject } = request;
      if (oldObject !== undefined && isDeepStrictEqual(signed(object), signed(oldObject))) return;
      return requireSignerPermission(authorizer, request, 'sign');
    },
  };
}

/** The fields that only a signer writes. */
function signed({ status }: ResourceObject): object {
  const { certificate = '', conditions = [] } = (status ?? {}) as { certificate?: string; conditions?: object[] };
  return { certificate, conditions };
}
