import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

export const serviceAccountRules: Partial<ResourceRules> = {
  updateChecks: ['metadataChange', 'metadata'],
  validate: () => [],
  prepareCreate: keepSecretNames,
  prepareUpdate: keepSecretNames,
  warnings(account, oldObject) {
    const isNew =
      enforcesMountableSecrets(account) && (oldObject === undefined || !enforcesMountableSecrets(oldObject));
    if (!isNew) return [];
    const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
    return [`metadata.annotations[${mountableSecrets}]: ${advice}`];
  },
};

function enforcesMountableSecrets({ metadata }: ResourceObject): boolean {
  return metadata.annotations?.[mountableSecrets] !== undefined;
}

/** Keeps only the names of the secrets: they are always in the namespace of the service account. */
function keepSecretNames(account: ResourceObject): void {
  const secrets = account.secrets as { name?: string }[] | undefined;
  if (secrets === undefined) return;
  account.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
