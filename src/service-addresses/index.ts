/**
 * The addresses and node ports of services: from which ranges they come, who has which, and how they are taken before a
 * service is stored and given back after it is gone. What a valid service looks like is in `resources`.
 */

export { ensureDefaultServiceCidr } from './default-service-cidr.ts';
export { parseNodePortRange, parseServiceRanges, type ServiceRanges, serviceAddress } from './service-ranges.ts';
export { ServiceTransactions } from './service-transactions.ts';
