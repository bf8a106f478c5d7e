/** The plugins that are always enabled, in execution order. */
import type { AdmissionPlugin } from '../admission-plugin.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { limitRanger } from './limit-ranger.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { podSecurity } from './pod-security.ts';
import { priority } from './priority.ts';
import { runtimeClass } from './runtime-class.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

export const admissionPlugins: readonly AdmissionPlugin[] = [
  limitRanger,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  defaultIngressClass,
];
