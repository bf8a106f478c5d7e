import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

/** Rejects external IPs of services, with which users could intercept the traffic of others. Existing ones may stay. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/services'] }],
  validate(request) {
    const known = new Set(externalIps(request.oldObject));
    if (externalIps(request.object).every((address) => known.has(address))) return;
    throw admissionForbidden(request, 'Use of external IPs is denied by admission control');
  },
};

function externalIps(service: ResourceObject | undefined): readonly string[] {
  return ((service?.spec ?? {}) as { externalIPs?: string[] | null }).externalIPs ?? [];
}
