/**
 * Faults for tests of clients: rules that reject, delay or drop requests and end watches, the log of the injected faults,
 * and their HTTP API. Only servers with the test API load this room. Faults never change stored objects, and clients see
 * nothing that a server under stress could not show them.
 */
export type { FaultAction, FaultRule, FaultStatus, InjectedFault, RequestMatch, RuleState } from './fault-rule.ts';
export { Faults, type FaultsOptions } from './faults.ts';
export { FaultsEndpoint } from './faults-endpoint.ts';
