import { secretNames } from '../../authz/node/index.ts';
import { type IdentitySource, randomIdentity } from '../../meta/identity-source.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import type { AccountPodSpec, ServiceAccount } from './service-account/account-pod.ts';
import { isMirrorPod } from './service-account/account-pod.ts';
import { forbiddenPodReference, forbiddenSecretOf } from './service-account/mountable-secrets.ts';
import { mountToken } from './service-account/token-volume.ts';

const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const defaultName = 'default';
/** How often the default account is looked up before it counts as missing: its controller may be about to create it. */
const tries = 10;
const minPauseMs = 100;
const maxPauseMs = 200;

export interface ServiceAccountOptions {
  /** Waits between two lookups. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** The source of volume names. Random by default. */
  readonly identity?: IdentitySource | undefined;
}

/**
 * Gives every pod a service account: sets the default one, mounts a token for it, copies its pull secrets, and limits
 * the secrets of the pod to those of its account, if the account requires it.
 */
export function serviceAccount({
  wait = pause,
  identity = randomIdentity,
}: ServiceAccountOptions = {}): AdmissionPlugin {
  const accountOf = (request: AdmissionRequest, objects: ObjectReader): MaybePromise<ServiceAccount> => {
    const { serviceAccountName: name = '' } = specOf(request);
    const item = { namespace: request.namespace, name };
    const get = (): MaybePromise<ServiceAccount | undefined> => objects.get(serviceAccounts, item);
    const found = mapMaybe(get(), (account) => account ?? (name === defaultName ? retried(get, wait) : undefined));
    return mapMaybe(found, (account) => {
      if (account !== undefined) return account;
      const where = `${request.namespace}/${name}`;
      throw admissionForbidden(
        request,
        `error looking up service account ${where}: serviceaccount "${name}" not found`,
      );
    });
  };
  return {
    name: 'ServiceAccount',
    rules: [
      { operations: ['CREATE'], resources: ['/pods'] },
      { operations: ['UPDATE'], resources: ['/pods/ephemeralcontainers'] },
    ],
    mutate(request, objects) {
      const { object, operation } = request;
      if (operation !== 'CREATE') return;
      if (isMirrorPod(object)) return checkMirrorPod(request);
      object.spec ??= {};
      const spec = object.spec as AccountPodSpec;
      if (!spec.serviceAccountName) {
        spec.serviceAccountName = defaultName;
        spec.serviceAccount = defaultName;
      }
      return mapMaybe(accountOf(request, objects), (account) => {
        const { automountServiceAccountToken: ownChoice } = spec;
        if (ownChoice ?? account.automountServiceAccountToken ?? true)
          mountToken(spec, { identity, of: `volumes/${request.namespace}` });
        if (!spec.imagePullSecrets?.length) {
          const secrets = (account.imagePullSecrets ?? []).map(({ name = '' }) => ({ name }));
          if (secrets.length > 0) spec.imagePullSecrets = secrets;
        }
        checkReferences(request, account);
      });
    },
    validate(request, objects) {
      const { object, operation, namespace } = request;
      if (operation === 'CREATE' && isMirrorPod(object)) return checkMirrorPod(request);
      if (!specOf(request).serviceAccountName) {
        throw admissionForbidden(
          request,
          `no service account specified for pod ${namespace}/${object.metadata.name ?? ''}`,
        );
      }
      return mapMaybe(accountOf(request, objects), (account) => checkReferences(request, account));
    },
  };
}

function specOf({ object }: AdmissionRequest): AccountPodSpec {
  return (object.spec ?? {}) as AccountPodSpec;
}

/** A node creates such a pod for what it runs anyway. It gets nothing from the API. */
function checkMirrorPod(request: AdmissionRequest): void {
  const { serviceAccountName, volumes } = specOf(request);
  if (serviceAccountName) throw admissionForbidden(request, 'a mirror pod may not reference service accounts');
  if (secretNames(request.object).size > 0) throw admissionForbidden(request, 'a mirror pod may not reference secrets');
  const sources = (volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some((source) => source?.serviceAccountToken)) {
    throw admissionForbidden(request, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function checkReferences(request: AdmissionRequest, account: ServiceAccount): void {
  const spec = specOf(request);
  if (request.subresource === '') {
    const problem = forbiddenPodReference(account, spec);
    if (problem !== undefined) throw admissionForbidden(request, problem);
    return;
  }
  const message = forbiddenSecretOf(account, spec.ephemeralContainers, 'ephemeral container');
  // kube-apiserver uses the same code here.
  if (message !== undefined) throw new StatusError({ code: 500, reason: '', message });
}

async function retried<T>(
  get: () => MaybePromise<T | undefined>,
  wait: (milliseconds: number) => Promise<void>,
): Promise<T | undefined> {
  const pauseMs = minPauseMs + Math.random() * (maxPauseMs - minPauseMs);
  for (let count = 1; count < tries; count++) {
    await wait(pauseMs);
    const found = await get();
    if (found !== undefined) return found;
  }
  return undefined;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
