/**
 * Background controllers of a cluster. A controller accesses the server only through a client, not through storage or
 * registry. Of the servers that share a store, only the holder of the lease runs the controllers.
 */
export { builtInControllers } from './built-in-controllers.ts';
export type { Controller } from './controller.ts';
export { controllersManager, runControllers, selectControllers } from './controller-manager.ts';
export { inNamespace, type KeptObject } from './kept-object.ts';
export { type LeaseTimings, whileLeading } from './leader-election.ts';
export type { NamespaceControllerOptions } from './namespace/namespace-controller.ts';
export { serviceAccountTokenController } from './service-account-tokens/service-account-token-controller.ts';
export type { CheckTypes } from './validating-admission-policy-status.ts';
