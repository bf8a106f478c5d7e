import type { ResourceObject } from '../../meta/object.ts';

/** What a persistent volume gives to the nodes that use its claim. */
export interface VolumeUse {
  /** Undefined while the volume belongs to no claim. */
  readonly claim: { readonly namespace: string; readonly name: string } | undefined;
  /** The secrets with which a node mounts it. */
  readonly secrets: readonly SecretName[];
}

interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

interface VolumeSpec {
  readonly claimRef?: SecretReference;
  readonly azureFile?: { readonly secretName?: string; readonly secretNamespace?: string };
  readonly csi?: Readonly<Record<string, SecretReference | undefined>>;
  readonly [source: string]: unknown;
}

/** A secret without a namespace is in that of the claim. */
const besideClaim = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
const elsewhere = ['cinder', 'storageos'];
/** The others are for who attaches and expands volumes, which is not the node. */
const nodeSecrets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

export function volumeUse(volume: ResourceObject): VolumeUse {
  const spec = (volume.spec ?? {}) as VolumeSpec;
  const { claimRef, azureFile, csi } = spec;
  if (!claimRef?.name) return { claim: undefined, secrets: [] };
  const claim = { namespace: claimRef.namespace ?? '', name: claimRef.name };
  const secretOf = (source: string) => (spec[source] as { secretRef?: SecretReference } | undefined)?.secretRef;
  const secrets = [
    named(azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace }, claim.namespace),
    ...besideClaim.map((source) => named(secretOf(source), claim.namespace)),
    ...elsewhere.map((source) => named(secretOf(source), '')),
    ...nodeSecrets.map((purpose) => named(csi?.[purpose], '')),
  ];
  return { claim, secrets: secrets.filter((secret) => secret !== undefined) };
}

function named(reference: SecretReference | undefined, otherwise: string): SecretName | undefined {
  return reference?.name ? { name: reference.name, namespace: reference.namespace || otherwise } : undefined;
}
