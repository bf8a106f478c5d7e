/**
 * The health endpoints `/livez`, `/readyz` and `/healthz`, in total and for each check. The checks are passed in.
 * Constructors for the checks of kube-apiserver are here. Authorization happens before a request gets here.
 */
export { autoregisterCompletionCheck, shutdownCheck } from './boot-checks.ts';
export { type HealthCheck, type HealthEndpoint, healthEndpoints } from './health-check.ts';
export { HealthChecks, type HealthChecksOptions, isHealthPath } from './health-checks.ts';
export type { CheckOutcome } from './health-report.ts';
export { PostStartHooks } from './post-start-hooks.ts';
export { logCheck, pingCheck, servingCertificateCheck } from './process-checks.ts';
export { type StorageCheckOptions, storageChecks, storedObjectsCheck } from './storage-checks.ts';
