import type { AccountContainer, AccountPodSpec, ServiceAccount } from './account-pod.ts';

const annotation = 'kubernetes.io/enforce-mountable-secrets';
/** Texts that Go parses as true. */
const trueValues = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** The first reference of a pod to a secret that its account does not have, if the account limits them. */
export function forbiddenPodReference(account: ServiceAccount, spec: AccountPodSpec): string | undefined {
  if (!isLimited(account)) return undefined;
  const known = namesOf(account.secrets);
  const volume = (spec.volumes ?? []).find(({ secret }) => secret && !known.has(secret.secretName ?? ''));
  if (volume !== undefined) return notReferenced(account, `volume with ${secretText(volume.secret!.secretName)}`);
  return (
    forbiddenSecretOf(account, spec.initContainers, 'init container') ??
    forbiddenSecretOf(account, spec.containers, 'container') ??
    forbiddenPullSecret(account, spec)
  );
}

/** The first reference of these containers, which are called `what`, to a secret that the account does not have. */
export function forbiddenSecretOf(
  account: ServiceAccount,
  containers: readonly AccountContainer[] | null | undefined,
  what: string,
): string | undefined {
  if (!isLimited(account)) return undefined;
  const known = namesOf(account.secrets);
  for (const { name = '', env, envFrom } of containers ?? []) {
    for (const { name: variable = '', valueFrom } of env ?? []) {
      const secret = valueFrom?.secretKeyRef;
      if (!secret || known.has(secret.name ?? '')) continue;
      return notReferenced(account, `${what} ${name} with envVar ${variable} referencing ${secretText(secret.name)}`);
    }
    for (const { secretRef } of envFrom ?? []) {
      if (!secretRef || known.has(secretRef.name ?? '')) continue;
      return notReferenced(account, `${what} ${name} with envFrom referencing ${secretText(secretRef.name)}`);
    }
  }
  return undefined;
}

function forbiddenPullSecret(account: ServiceAccount, { imagePullSecrets }: AccountPodSpec): string | undefined {
  const known = namesOf(account.imagePullSecrets);
  const index = (imagePullSecrets ?? []).findIndex(({ name = '' }) => !known.has(name));
  if (index < 0) return undefined;
  const { name = '' } = imagePullSecrets![index]!;
  return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
}

function isLimited({ metadata }: ServiceAccount): boolean {
  return trueValues.has(metadata.annotations?.[annotation] ?? '');
}

function namesOf(secrets: ServiceAccount['secrets']): ReadonlySet<string> {
  return new Set((secrets ?? []).map(({ name = '' }) => name));
}

function secretText(name = ''): string {
  return `secret.secretName="${name}"`;
}

function notReferenced({ metadata }: ServiceAccount, what: string): string {
  return `${what} is not allowed because service account ${metadata.name} does not reference that secret`;
}
