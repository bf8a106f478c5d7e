/**
 * Passing requests on to other servers: any request to any server (`forward`), upgraded connections (`relay`), and the
 * subresources `proxy` of pods, services and nodes.
 */
export { type ProxyDependencies, proxySubresources } from './proxy-subresources.ts';
export { readyEndpoints } from './service-endpoints.ts';
