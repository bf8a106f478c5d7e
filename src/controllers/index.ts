/**
 * What a cluster does by itself. A controller sees the server only through a client; storage and registry are not known
 * here. All of them run in one of the servers that share a store: in the one that holds a lease.
 */
export { builtInControllers } from './built-in-controllers.ts';
export type { Controller } from './controller.ts';
export { runControllers } from './controller-manager.ts';
export { selectControllers } from './select-controllers.ts';
export { serviceAccountTokenController } from './service-account-tokens/service-account-token-controller.ts';
