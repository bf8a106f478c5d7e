import type { Authorizer } from '../../../authz/index.ts';
import { nodeOf } from '../../../authz/node/index.ts';
import { goQuote } from '../../../meta/go-quote.ts';
import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ObjectReader } from '../../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../../admission-plugin.ts';
import type { AdmissionRequest } from '../../admission-request.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import { checkToken } from './account-token.ts';
import { checkClaimStatus, refuseClaim } from './claim-status.ts';
import type { NodeCheck } from './node-request.ts';
import { checkNode } from './own-node.ts';
import { checkCertificateRequest, checkCsiNode, checkLease, checkResourceSlice } from './own-objects.ts';
import { checkPodCertificateRequest } from './own-pod-certificates.ts';
import { checkEviction, checkPod, checkPodStatus, refusePodSubresource } from './own-pods.ts';

export interface NodeRestrictionOptions {
  /** All authorizers combined: any of them may allow tokens for further audiences. */
  readonly authorizer: Authorizer;
  /** Returns the common name of a certificate request (base64 of PEM). Throws when it cannot be parsed. */
  readonly commonNameOf: (request: string) => string;
  /** Called for every request of a node. */
  readonly isOn: () => boolean;
}

/**
 * Restricts a node to writes of its own Node object and objects that belong to it. Authorization checks the verb and
 * mostly the name. This plugin checks the content of the object, as sent, before other plugins complete it.
 */
export function nodeRestriction({ authorizer, commonNameOf, isOn }: NodeRestrictionOptions): AdmissionPlugin {
  const checks: Readonly<Record<string, NodeCheck>> = {
    '/pods': checkPod,
    '/pods/status': checkPodStatus,
    '/pods/eviction': checkEviction,
    '/pods/binding': refusePodSubresource,
    '/pods/ephemeralcontainers': refusePodSubresource,
    '/pods/resize': refusePodSubresource,
    '/nodes': checkNode,
    '/nodes/status': checkNode,
    '/persistentvolumeclaims': refuseClaim,
    '/persistentvolumeclaims/status': checkClaimStatus,
    '/serviceaccounts/token': (request) => checkToken(request, authorizer),
    'coordination.k8s.io/leases': checkLease,
    'storage.k8s.io/csinodes': checkCsiNode,
    'resource.k8s.io/resourceslices': checkResourceSlice,
    'certificates.k8s.io/podcertificaterequests': checkPodCertificateRequest,
    'certificates.k8s.io/certificatesigningrequests': (request) => checkCertificateRequest(request, commonNameOf),
  };
  return {
    name: 'NodeRestriction',
    rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], resources: Object.keys(checks) }],
    mutate(request: AdmissionRequest, objects: ObjectReader): MaybePromise<void> {
      const node = nodeOf(request.user);
      if (node === undefined || !isOn()) return;
      if (node === '')
        throw admissionForbidden(request, `could not determine node from user ${goQuote(request.user.name)}`);
      const {
        resource: { group, resource },
        subresource,
      } = request;
      const key = subresource === '' ? `${group}/${resource}` : `${group}/${resource}/${subresource}`;
      return checks[key]?.({ node, request, objects });
    },
  };
}
