/**
 * Cluster IPs and node ports of services: their ranges, their owners, how they are allocated before a service is stored
 * and released after it is deleted. Validation of services is in `resources`.
 */

export { ensureDefaultServiceCidr } from './default-service-cidr.ts';
export { parseNodePortRange, parseServiceRanges, type ServiceRanges, serviceAddress } from './service-ranges.ts';
export { ServiceTransactions } from './service-transactions.ts';
export { SharedServiceClaims } from './shared-service-claims.ts';
