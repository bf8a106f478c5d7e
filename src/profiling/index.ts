/**
 * Profiles of the running process, in the formats of Chrome's tools. Authorization happens before a request gets here.
 */
export { ProfilingEndpoint } from './profiling-endpoint.ts';
