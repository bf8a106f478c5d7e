/**
 * Whether the server lives and is ready: `/livez`, `/readyz` and `/healthz`, as a whole and check by check. What is
 * checked is handed in; the constructors of the checks that kube-apiserver has, too, are here. Who may ask is decided
 * before a request comes here.
 */
export { autoregisterCompletionCheck, shutdownCheck } from './boot-checks.ts';
export type { HealthCheck, HealthEndpoint } from './health-check.ts';
export { HealthChecks, type HealthChecksOptions, isHealthPath } from './health-checks.ts';
export { PostStartHooks } from './post-start-hooks.ts';
export { logCheck, pingCheck, servingCertificateCheck } from './process-checks.ts';
export { type StorageCheckOptions, storageChecks, storedObjectsCheck } from './storage-checks.ts';
