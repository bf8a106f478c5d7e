import { clusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller } from './controller.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { garbageCollector } from './garbage-collector/index.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { podGroupProtectionController } from './pod-group-protection.ts';
import type { QuotaMeasure } from './resource-quota/quota-usage.ts';
import { resourceQuotaController } from './resource-quota/resource-quota-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { serviceAccountController } from './service-account-controller.ts';
import { storageVersionCollector } from './storage-version-collector.ts';
import { storageVersionMigrator } from './storage-version-migrator.ts';
import { ttlAfterFinished } from './ttl-after-finished.ts';
import { type CheckTypes, validatingAdmissionPolicyStatus } from './validating-admission-policy-status.ts';
import { claimProtection } from './volume-protection/claim-protection.ts';
import { volumeProtection } from './volume-protection/volume-protection.ts';

export interface BuiltInControllersOptions {
  /** The CA bundle (PEM) by which clients in the cluster verify the server. */
  readonly caCert: string;
  readonly quotaMeasure: QuotaMeasure;
  /** Checks the types in validating admission policies. */
  readonly checkPolicyTypes: CheckTypes;
  /** The time until all servers of the store have noticed that a namespace is terminating. Default: 0. */
  readonly namespaceGraceMs?: number | undefined;
  /** Whether servers publish their storage versions. Default: no. */
  readonly collectsStorageVersions?: boolean;
}

/** All controllers except those that need the keys of the server. */
export function builtInControllers(options: BuiltInControllersOptions): Controller[] {
  const { caCert, quotaMeasure, checkPolicyTypes, namespaceGraceMs, collectsStorageVersions = false } = options;
  return [
    namespaceController({ graceMs: namespaceGraceMs }),
    serviceAccountController,
    rootCaPublisher(caCert),
    clusterRoleAggregation,
    ttlAfterFinished,
    garbageCollector,
    resourceQuotaController(quotaMeasure),
    disruptionController,
    claimProtection,
    volumeProtection,
    validatingAdmissionPolicyStatus(checkPolicyTypes),
    podGroupProtectionController,
    storageVersionMigrator,
    storageVersionCollector({ isEnabled: collectsStorageVersions }),
  ];
}
