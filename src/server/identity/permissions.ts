import { readFileSync } from 'node:fs';
import { AuthorizationModes, configurationOfModes, parseAuthorizationConfiguration } from '../../authz/config/index.ts';
import { RbacAuthorizer, RbacIndex } from '../../authz/rbac/index.ts';
import type { ResourceSet } from '../../registry/index.ts';
import { followFile } from '../files/follow-file.ts';
import type { ResolvedOptions } from '../options.ts';
import { followRoles } from './follow-roles.ts';

/** Who may do what in this server. */
export interface Permissions {
  /** The authorizers of the configuration, behind `system:masters`. */
  readonly modes: AuthorizationModes;
  /** Roles and bindings as they are, whether or not they are asked: nobody may grant more than they say that one has. */
  readonly rbac: RbacAuthorizer;
  /** Resolves when roles, bindings and files are known; they are followed from then on. */
  follow(resources: ResourceSet, signal: AbortSignal): Promise<void>;
}

/** Throws a RangeError for modes or a configuration that cannot be used. */
export function permissions(options: ResolvedOptions): Permissions {
  const index = new RbacIndex();
  const rbac = new RbacAuthorizer(index);
  const modes = new AuthorizationModes(configurationFrom(options), { factories: { RBAC: () => rbac } });
  return {
    modes,
    rbac,
    async follow(resources, signal) {
      const { log, authorizationConfig } = options;
      signal.addEventListener('abort', () => modes.close(), { once: true });
      await followRoles(index, {
        resources,
        onError: (err) => log.error('a role or binding cannot be read', { err }),
        signal,
      });
      if (authorizationConfig === undefined) return;
      await followFile(authorizationConfig, {
        onContent: (content) => modes.replace(content),
        onError: (err) => log.error('authorization configuration not reloaded', { file: authorizationConfig, err }),
        signal,
      });
    },
  };
}

function configurationFrom(options: ResolvedOptions) {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile: kubeConfigFile } = options;
  if (authorizationConfig !== undefined) {
    return parseAuthorizationConfiguration(readConfiguration(authorizationConfig));
  }
  return configurationOfModes(authorizationMode, {
    kubeConfigFile,
    version: options.authorizationWebhookVersion,
    authorizedMs: options.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedMs: options.authorizationWebhookCacheUnauthorizedTtlMs,
  });
}

function readConfiguration(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RangeError(`the authorization configuration cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
