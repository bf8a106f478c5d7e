/**
 * Faults for the tests of clients: rules that make a server refuse, delay, drop or end what they match, the log of what
 * they did, and their HTTP face. Loaded only by servers with the test API. Faults never change what is stored, and show
 * clients only what a server under stress may show them.
 */
export type { ActiveRule, FaultAction, FaultRule, FaultStatus, MetFault, RequestMatch } from './fault-rule.ts';
export { Faults, type FaultsOptions } from './faults.ts';
export { FaultsEndpoint } from './faults-endpoint.ts';
