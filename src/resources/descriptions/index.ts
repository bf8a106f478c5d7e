/**
 * The descriptions of the built-in types and their fields, for `kubectl explain` and other readers of OpenAPI. There is
 * one file per package, or several for a large package. The texts are large, so they are imported only by the first
 * request that needs them. Types and rules are in the other folders.
 */
import { admissionregistrationV1 } from './admissionregistration-v1.ts';
import { apiextensionsV1 } from './apiextensions-v1.ts';
import { apiregistrationV1 } from './apiregistration-v1.ts';
import { apiserverinternalV1alpha1 } from './apiserverinternal-v1alpha1.ts';
import { appsV1 } from './apps-v1.ts';
import { authenticationV1 } from './authentication-v1.ts';
import { authorizationV1 } from './authorization-v1.ts';
import { autoscalingV1 } from './autoscaling-v1.ts';
import { autoscalingV2 } from './autoscaling-v2.ts';
import { batchV1 } from './batch-v1.ts';
import { certificatesV1 } from './certificates-v1.ts';
import { certificatesV1beta1 } from './certificates-v1beta1.ts';
import { coordinationV1 } from './coordination-v1.ts';
import { coordinationV1beta1 } from './coordination-v1beta1.ts';
import { coreV1Configuration } from './core-v1-configuration.ts';
import { coreV1Containers } from './core-v1-containers.ts';
import { coreV1Nodes } from './core-v1-nodes.ts';
import { coreV1PersistentVolumes } from './core-v1-persistent-volumes.ts';
import { coreV1Pods } from './core-v1-pods.ts';
import { coreV1Scheduling } from './core-v1-scheduling.ts';
import { coreV1Services } from './core-v1-services.ts';
import { coreV1Volumes } from './core-v1-volumes.ts';
import { discoveryV1 } from './discovery-v1.ts';
import { eventsV1 } from './events-v1.ts';
import { flowcontrolV1 } from './flowcontrol-v1.ts';
import { metaV1 } from './meta-v1.ts';
import { networkingV1 } from './networking-v1.ts';
import { nodeV1 } from './node-v1.ts';
import { PackageDescriptions, type PackageTexts } from './package-descriptions.ts';
import { policyV1 } from './policy-v1.ts';
import { rbacV1 } from './rbac-v1.ts';
import { resourceV1 } from './resource-v1.ts';
import { resourceV1alpha3 } from './resource-v1alpha3.ts';
import { resourceV1beta1 } from './resource-v1beta1.ts';
import { resourceV1beta2 } from './resource-v1beta2.ts';
import { schedulingV1 } from './scheduling-v1.ts';
import { schedulingV1alpha2 } from './scheduling-v1alpha2.ts';
import { storageV1 } from './storage-v1.ts';
import { storagemigrationV1beta1 } from './storagemigration-v1beta1.ts';
import { version } from './version.ts';

/** For each group, the package with the newest version comes first. */
export const builtInTexts: PackageTexts = {
  'core/v1': [
    coreV1Configuration,
    coreV1Containers,
    coreV1Nodes,
    coreV1PersistentVolumes,
    coreV1Pods,
    coreV1Scheduling,
    coreV1Services,
    coreV1Volumes,
  ],
  'admissionregistration/v1': [admissionregistrationV1],
  'apiextensions/v1': [apiextensionsV1],
  'apiregistration/v1': [apiregistrationV1],
  'apiserverinternal/v1alpha1': [apiserverinternalV1alpha1],
  'apps/v1': [appsV1],
  'authentication/v1': [authenticationV1],
  'authorization/v1': [authorizationV1],
  'autoscaling/v2': [autoscalingV2],
  'autoscaling/v1': [autoscalingV1],
  'batch/v1': [batchV1],
  'certificates/v1': [certificatesV1],
  'certificates/v1beta1': [certificatesV1beta1],
  'coordination/v1': [coordinationV1],
  'coordination/v1beta1': [coordinationV1beta1],
  'discovery/v1': [discoveryV1],
  'events/v1': [eventsV1],
  'flowcontrol/v1': [flowcontrolV1],
  'meta/v1': [metaV1],
  'networking/v1': [networkingV1],
  'node/v1': [nodeV1],
  'policy/v1': [policyV1],
  'rbac/v1': [rbacV1],
  'resource/v1': [resourceV1],
  'resource/v1beta2': [resourceV1beta2],
  'resource/v1beta1': [resourceV1beta1],
  'resource/v1alpha3': [resourceV1alpha3],
  'scheduling/v1': [schedulingV1],
  'scheduling/v1alpha2': [schedulingV1alpha2],
  'storage/v1': [storageV1],
  'storagemigration/v1beta1': [storagemigrationV1beta1],
  version: [version],
};

export const builtInDescriptions = new PackageDescriptions(builtInTexts);
