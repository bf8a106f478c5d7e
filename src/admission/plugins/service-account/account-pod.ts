import type { ResourceObject } from '../../../meta/object.ts';

interface SecretName {
  readonly name?: string;
}

export interface ServiceAccount extends ResourceObject {
  readonly secrets?: readonly SecretName[] | null;
  readonly imagePullSecrets?: readonly SecretName[] | null;
  readonly automountServiceAccountToken?: boolean | null;
}

export interface AccountContainer {
  readonly name?: string;
  volumeMounts?: readonly { readonly name?: string; readonly readOnly?: boolean; readonly mountPath?: string }[] | null;
  readonly env?:
    | readonly { readonly name?: string; readonly valueFrom?: { readonly secretKeyRef?: SecretName | null } | null }[]
    | null;
  readonly envFrom?: readonly { readonly secretRef?: SecretName | null }[] | null;
}

interface Volume {
  readonly name?: string;
  readonly secret?: { readonly secretName?: string } | null;
  readonly projected?: {
    readonly sources?: readonly ({ readonly serviceAccountToken?: object | null } | null)[] | null;
  } | null;
}

/** The parts of a pod that depend on its service account. */
export interface AccountPodSpec {
  serviceAccountName?: string;
  /** The old name of the field. */
  serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean | null;
  imagePullSecrets?: readonly SecretName[] | null;
  volumes?: readonly Volume[] | null;
  readonly containers?: readonly AccountContainer[] | null;
  readonly initContainers?: readonly AccountContainer[] | null;
  readonly ephemeralContainers?: readonly AccountContainer[] | null;
}

/** Whether a node made the pod to show what it runs. */
export function isMirrorPod({ metadata }: ResourceObject): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, 'kubernetes.io/config.mirror');
}
