import { clusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller } from './controller.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { garbageCollector } from './garbage-collector/index.ts';
import { type NamespaceControllerOptions, namespaceController } from './namespace/namespace-controller.ts';
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
  readonly namespaces?: NamespaceControllerOptions;
  /** Whether servers publish their storage versions. Default: no. */
  readonly collectsStorageVersions?: boolean;
}

/** All controllers except those that need the keys of the server. */
export function builtInControllers(options: BuiltInControllersOptions): Controller[] {
  const { caCert, quotaMeasure, checkPolicyTypes, namespaces, collectsStorageVersions = false } = options;
  return [
    namespaceController(namespaces),
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
