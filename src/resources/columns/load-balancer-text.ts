import type { LoadBalancerStatus } from '../core/service-types.ts';

/** Returns the distinct addresses, sorted. */
export function loadBalancerText(status: LoadBalancerStatus | null | undefined): string {
  const addresses = new Set<string>();
  for (const { ip, hostname } of status?.ingress ?? []) addresses.add(ip || hostname || '');
  addresses.delete('');
  return [...addresses].sort().join(',');
}
