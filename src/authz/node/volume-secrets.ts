import type { ResourceObject } from '../../meta/object.ts';

/** The claim and the secrets of a persistent volume. */
export interface VolumeUse {
  /** Undefined while the volume is not bound. */
  readonly claim: { readonly namespace: string; readonly name: string } | undefined;
  /** The secrets that a node needs to mount the volume. */
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

/** Without a namespace, the secret is in that of the claim. */
const sourcesInClaimNamespace = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
const sourcesWithNamespace = ['cinder', 'storageos'];
/** The other secret references are for attaching and expanding, which the node does not do. */
const nodeSecrets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

export function volumeUse(volume: ResourceObject): VolumeUse {
  const spec = (volume.spec ?? {}) as VolumeSpec;
  const { claimRef, azureFile, csi } = spec;
  if (!claimRef?.name) return { claim: undefined, secrets: [] };
  const claim = { namespace: claimRef.namespace ?? '', name: claimRef.name };
  const secretOf = (source: string) => (spec[source] as { secretRef?: SecretReference } | undefined)?.secretRef;
  const secrets = [
    secretName(azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace }, claim.namespace),
    ...sourcesInClaimNamespace.map((source) => secretName(secretOf(source), claim.namespace)),
    ...sourcesWithNamespace.map((source) => secretName(secretOf(source), '')),
    ...nodeSecrets.map((purpose) => secretName(csi?.[purpose], '')),
  ];
  return { claim, secrets: secrets.filter((secret) => secret !== undefined) };
}

function secretName(reference: SecretReference | undefined, defaultNamespace: string): SecretName | undefined {
  return reference?.name ? { name: reference.name, namespace: reference.namespace || defaultNamespace } : undefined;
}
