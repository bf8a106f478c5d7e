/** The fields of a load balancer status that the columns read. */
export interface LoadBalancer {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
}

/** Returns the distinct addresses, sorted. */
export function loadBalancerText(status: LoadBalancer | null | undefined): string {
  const addresses = new Set<string>();
  for (const { ip, hostname } of status?.ingress ?? []) addresses.add(ip || hostname || '');
  addresses.delete('');
  return [...addresses].sort().join(',');
}
