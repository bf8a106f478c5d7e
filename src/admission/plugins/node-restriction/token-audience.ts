import { joinedErrors } from '../../../meta/joined-errors.ts';
import type { MaybePromise } from '../../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { ObjectReader, StoredType } from '../../../meta/object-reader.ts';
import { StatusError } from '../../../meta/status-error.ts';
import { objectNotFound } from './node-request.ts';

export interface AudienceCheck {
  readonly isWanted: boolean;
  /** The error that prevented a complete check. Empty when there was none. */
  readonly problem: string;
}

interface Volume extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly csi?: { readonly driver?: string };
  readonly ephemeral?: { readonly volumeClaimTemplate?: object };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly projected?: {
    readonly sources?: readonly { readonly serviceAccountToken?: { readonly audience?: string } }[] | null;
  };
}

const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const persistentVolumes = { group: '', version: 'v1', resource: 'persistentvolumes' };
const drivers = { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' };

/** The CSI drivers of in-tree volume types. */
const driversOfKinds: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

/**
 * Whether a volume of the pod needs a token for this audience: a projected token, or one that the volume's driver
 * requests.
 */
export function podRequestsAudience(
  objects: ObjectReader,
  pod: ResourceObject,
  audience: string,
): MaybePromise<AudienceCheck> {
  const { volumes = [] } = (pod.spec ?? {}) as { volumes?: readonly Volume[] };
  const isProjected = volumes.some(({ projected }) =>
    projected?.sources?.some(
      ({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? '') === audience,
    ),
  );
  // Nearly all requests are for projected tokens.
  return isProjected ? { isWanted: true, problem: '' } : driversRequestAudience({ objects, pod, volumes }, audience);
}

interface PodVolumes {
  readonly objects: ObjectReader;
  readonly pod: ResourceObject;
  readonly volumes: readonly Volume[];
}

async function driversRequestAudience({ objects, pod, volumes }: PodVolumes, audience: string): Promise<AudienceCheck> {
  const problems: string[] = [];
  for (const volume of volumes) {
    try {
      const name = await driverOf(objects, pod, volume);
      if (name !== undefined && (await requestsAudience(objects, name, audience)))
        return { isWanted: true, problem: '' };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      problems.push(error.message);
    }
  }
  return { isWanted: false, problem: joinedErrors(problems) };
}

async function driverOf(objects: ObjectReader, pod: ResourceObject, volume: Volume): Promise<string | undefined> {
  const { ephemeral, persistentVolumeClaim, csi } = volume;
  const { namespace = '', name } = pod.metadata;
  const claim = ephemeral?.volumeClaimTemplate ? `${name}-${volume.name}` : persistentVolumeClaim?.claimName;
  if (claim === undefined) return csi?.driver ?? driverOfKind(volume);
  const { volumeName = '' } = specOf<{ volumeName?: string }>(
    await found(objects, { type: claims, kind: 'persistentvolumeclaim', namespace, name: claim }),
  );
  const bound = { type: persistentVolumes, kind: 'persistentvolume', namespace: '', name: volumeName };
  const source = specOf<Volume>(await found(objects, bound));
  return source.csi?.driver ?? driverOfKind(source);
}

function driverOfKind(source: Readonly<Record<string, unknown>>): string | undefined {
  const kind = Object.keys(driversOfKinds).find((known) => source[known] !== undefined);
  return kind && driversOfKinds[kind];
}

async function requestsAudience(objects: ObjectReader, name: string, audience: string): Promise<boolean> {
  const driver = await found(objects, { type: drivers, kind: 'csidriver.storage.k8s.io', namespace: '', name });
  const { tokenRequests } = specOf<{ tokenRequests?: readonly { readonly audience?: string }[] | null }>(driver);
  return !!tokenRequests?.some((wanted) => (wanted.audience ?? '') === audience);
}

function specOf<T>({ spec }: ResourceObject): T {
  return (spec ?? {}) as T;
}

interface AudienceLookup {
  readonly type: StoredType;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

async function found(objects: ObjectReader, { type, kind, namespace, name }: AudienceLookup): Promise<ResourceObject> {
  const object = name === '' ? undefined : await objects.get(type, { namespace, name });
  if (object === undefined) throw objectNotFound(kind, name);
  return object;
}
