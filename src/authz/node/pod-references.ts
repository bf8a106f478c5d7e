import type { ResourceObject } from '../../meta/object.ts';

interface Named {
  readonly name?: string;
}

interface Container {
  readonly envFrom?: readonly { readonly secretRef?: Named; readonly configMapRef?: Named }[];
  readonly env?: readonly {
    readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named };
  }[];
}

interface Volume {
  readonly name: string;
  readonly azureFile?: { readonly secretName?: string };
  readonly configMap?: Named;
  readonly csi?: { readonly nodePublishSecretRef?: Named };
  readonly ephemeral?: object;
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly projected?: { readonly sources?: readonly { readonly secret?: Named; readonly configMap?: Named }[] | null };
  readonly secret?: { readonly secretName?: string };
  readonly [source: string]: unknown;
}

interface PodSpec {
  readonly containers?: readonly Container[] | null;
  readonly initContainers?: readonly Container[] | null;
  readonly ephemeralContainers?: readonly Container[] | null;
  readonly imagePullSecrets?: readonly Named[];
  readonly volumes?: readonly Volume[];
  readonly resourceClaims?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
}

interface PodStatus {
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName?: string };
}

/** Volume sources that name their secret in `secretRef`. */
const sourcesWithSecretRef = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

const specOf = (pod: ResourceObject): PodSpec => (pod.spec ?? {}) as PodSpec;

/** The secrets in the pod's namespace that the pod refers to. */
export function secretNames(pod: ResourceObject): Set<string> {
  const spec = specOf(pod);
  const names: (string | undefined)[] = (spec.imagePullSecrets ?? []).map(({ name }) => name);
  for (const { envFrom, env } of containersOf(spec)) {
    for (const { secretRef } of envFrom ?? []) names.push(secretRef?.name);
    for (const { valueFrom } of env ?? []) names.push(valueFrom?.secretKeyRef?.name);
  }
  for (const volume of spec.volumes ?? []) names.push(...volumeSecrets(volume));
  return nonEmpty(names);
}

function volumeSecrets(volume: Volume): (string | undefined)[] {
  const { azureFile, csi, projected, secret } = volume;
  return [
    azureFile?.secretName,
    secret?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
    ...sourcesWithSecretRef.map((source) => (volume[source] as { secretRef?: Named } | undefined)?.secretRef?.name),
  ];
}

export function configMapNames(pod: ResourceObject): Set<string> {
  const spec = specOf(pod);
  const names: (string | undefined)[] = [];
  for (const { envFrom, env } of containersOf(spec)) {
    for (const { configMapRef } of envFrom ?? []) names.push(configMapRef?.name);
    for (const { valueFrom } of env ?? []) names.push(valueFrom?.configMapKeyRef?.name);
  }
  for (const { configMap, projected } of spec.volumes ?? []) {
    names.push(configMap?.name, ...(projected?.sources ?? []).map((source) => source.configMap?.name));
  }
  return nonEmpty(names);
}

/** The claims that the pod names, and those created for its ephemeral volumes. */
export function claimNames(pod: ResourceObject): Set<string> {
  const { name: podName } = pod.metadata;
  return nonEmpty(
    (specOf(pod).volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) => {
      if (persistentVolumeClaim) return persistentVolumeClaim.claimName;
      return ephemeral && `${podName}-${name}`;
    }),
  );
}

/** The name of a claim created from a template is in the status of the pod. */
export function resourceClaimNames(pod: ResourceObject): Set<string> {
  const { resourceClaimStatuses = [], extendedResourceClaimStatus } = (pod.status ?? {}) as PodStatus;
  const made = (wanted: string) => resourceClaimStatuses.find(({ name }) => name === wanted)?.resourceClaimName;
  const claims = specOf(pod).resourceClaims ?? [];
  return nonEmpty([
    ...claims.map(({ name, resourceClaimName }) => resourceClaimName || made(name)),
    extendedResourceClaimStatus?.resourceClaimName,
  ]);
}

function containersOf({ initContainers, containers, ephemeralContainers }: PodSpec): Container[] {
  // A pod that has not been validated yet may have none.
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

function nonEmpty(names: readonly (string | undefined)[]): Set<string> {
  return new Set(names.filter((name) => name !== undefined && name !== '') as string[]);
}
