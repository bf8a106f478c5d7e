import { generateName, type NameSource } from '../../../meta/generate-name.ts';
import type { AccountContainer, AccountPodSpec } from './account-pod.ts';

const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** One hour, and seven seconds by which the issuer recognizes these tokens. */
const expirationSeconds = 3607;

/**
 * Everything that a client in the pod needs to reach the API: a token, the CA and the namespace. Each call creates new
 * objects, because other plugins may change them. It does not use `structuredClone`, which takes longer than all other
 * plugins together.
 */
const projected = () => ({
  sources: [
    { serviceAccountToken: { expirationSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
  defaultMode: 0o644,
});

/** Mounts a token into all containers that do not have something else in its place. */
export function mountToken(spec: AccountPodSpec, source?: NameSource): void {
  const volumes = spec.volumes ?? [];
  const present = volumes.find((volume) => volume.name?.startsWith(volumePrefix))?.name;
  const name = present ?? generateName(volumePrefix, source);
  const withoutToken = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(lacksToken);
  for (const container of withoutToken) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  }
  if (present === undefined && withoutToken.length > 0) {
    spec.volumes = [...volumes, { name, projected: projected() }];
  }
}

function lacksToken({ volumeMounts }: AccountContainer): boolean {
  return !(volumeMounts ?? []).some((mount) => mount.mountPath === mountPath);
}
