/**
 * The door by which programs use an API server: verbs on resources over a fetch function, which goes over the network or stays
 * within the process. Controllers use nothing else.
 */
export { ApiError } from './api-error.ts';
export { Client } from './client.ts';
export type { ApiRequest, ApiResponse, Fetch } from './fetch.ts';
export type { ObjectList, ResourceClient, ResourceReference, WatchEvent } from './resource-client.ts';
