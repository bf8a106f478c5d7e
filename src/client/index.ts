/**
 * The API client: verbs on resources over a fetch function, which uses the network or stays within the process. On top
 * of it are informers, which track the objects of a type, and work queues. Controllers use nothing else.
 */
export { ApiError, isUnreadable } from './api-error.ts';
export { Backoff, delayAfter } from './backoff.ts';
export { Client } from './client.ts';
export { connectionFailure } from './connection-failure.ts';
export { type Discovered, type DiscoveredResource, Discovery } from './discovery.ts';
export type { ApiRequest, ApiResponse, Fetch, LocalEvent } from './fetch.ts';
export { type HttpResponse, HttpTarget, type NetworkAddress } from './http-target.ts';
export { Informer, type InformerHandler, type InformerOptions } from './informer.ts';
export { type Followed, InformerFactory } from './informer-factory.ts';
export { JsonEndpoint } from './json-endpoint.ts';
export { parseKubeconfig, type ReadFileSync, readKubeconfig, readKubeconfigUsers } from './kubeconfig.ts';
export { meteredFetch } from './metered-fetch.ts';
export { type NetworkFetch, networkFetch } from './network-fetch.ts';
export { type CallResponse, DeadlineError, openCall } from './open-call.ts';
export { pause, untilAborted } from './pause.ts';
export { WorkQueueMetrics } from './queue-metrics.ts';
export { readBody } from './read-body.ts';
export { Reflector } from './reflector.ts';
export type {
  DeleteOptions,
  ObjectList,
  PatchType,
  ResourceClient,
  ResourceReference,
  WatchEvent,
} from './resource-client.ts';
export { deferRootCertificates, withRootCertificates } from './root-certificates.ts';
export type { ClientCredentials, ServerAccess } from './server-access.ts';
export { statusText } from './status-texts.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
