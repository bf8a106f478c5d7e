/** What the columns read of the status of a load balancer. */
export interface LoadBalancer {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
}

/** Its addresses, each once and in order. */
export function loadBalancerText(status: LoadBalancer | null | undefined): string {
  const addresses = new Set<string>();
  for (const { ip, hostname } of status?.ingress ?? []) addresses.add(ip || hostname || '');
  addresses.delete('');
  return [...addresses].sort().join(',');
}
