import type { AdmissionOperation, AdmissionRequest, AdmissionTarget } from './admission-request.ts';

const optionKinds: Readonly<Record<AdmissionOperation, string | undefined>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: undefined,
};

/** The options of a request. Null for a CONNECT, whose options are its object. */
function reviewedOptions({ operation, options }: AdmissionRequest): object | null {
  const kind = optionKinds[operation];
  return kind === undefined ? null : { kind, apiVersion: 'meta.k8s.io/v1', ...options };
}

/**
 * The request of an AdmissionReview for a webhook or policy that matches as `target`, without uid and objects. Empty
 * values are absent. The order of fields is that of kube-apiserver.
 */
export function reviewedRequest(request: AdmissionRequest, target: AdmissionTarget) {
  const { name, namespace, operation, user, dryRun, subresource } = request;
  const { uid, groups, extra } = user;
  const keys = Object.keys(extra).sort();
  return {
    kind: target.kind,
    resource: target.resource,
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: request.kind,
    requestResource: request.resource,
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      ...(user.name !== '' && { username: user.name }),
      ...(uid !== '' && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, extra[key]])) }),
    },
    dryRun,
    options: reviewedOptions(request),
  };
}
