import {
  type AuthorizationConfiguration,
  AuthorizationModes,
  type AuthorizationModesOptions,
  configurationOfModes,
} from '../../authz/modes/index.ts';
import { RbacAuthorizer, RbacIndex } from '../../authz/rbac/index.ts';
import type { Meter } from '../../meta/meter.ts';
import type { ResourceSet } from '../../registry/index.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { ResolvedOptions } from '../options.ts';
import { followRoles } from './follow-roles.ts';
import { NodePermissions } from './node-permissions.ts';

/** The authorizers of this server. */
export interface Permissions {
  /** The configured authorizers. `system:masters` is allowed everything before they are evaluated. */
  readonly modes: AuthorizationModes;
  /** RBAC roles and bindings, even when the mode RBAC is off: the escalation check needs them. */
  readonly rbac: RbacAuthorizer;
  /** Whether the mode Node is on, for the admission plugin NodeRestriction. */
  readonly nodes: {
    /** False when the mode is off and no configuration file can enable it. */
    readonly mayBeAuthorized: boolean;
    readonly areAuthorized: () => boolean;
  };
  /** Resolves when roles, bindings and files are loaded. Changes are followed from then on. */
  follow(resources: ResourceSet, signal: AbortSignal): Promise<void>;
}

export interface PermissionsDependencies {
  readonly files: OptionFiles;
  readonly meter: Meter;
  /** Abort it to end the calls of webhooks. */
  readonly stopCalls: AbortSignal;
}

/** Rejects with a RangeError for invalid modes or an invalid configuration. */
export async function loadPermissions(
  options: ResolvedOptions,
  { files, meter, stopCalls }: PermissionsDependencies,
): Promise<Permissions> {
  const index = new RbacIndex();
  const rbac = new RbacAuthorizer(index);
  const node = new NodePermissions();
  const factories = { RBAC: () => rbac, Node: () => node.authorizer() };
  const { configuration, parse, openWebhook } = await configured(options, { files, stopCalls });
  const modes = new AuthorizationModes(configuration, { factories, openWebhook, meter });
  const areAuthorized = () => modes.configuration.authorizers.some(({ type }) => type === 'Node');
  return {
    modes,
    rbac,
    nodes: { mayBeAuthorized: areAuthorized() || options.authorizationConfig !== undefined, areAuthorized },
    async follow(resources, signal) {
      const { log, authorizationConfig } = options;
      signal.addEventListener('abort', () => modes.close(), { once: true });
      await followRoles(index, {
        resources,
        onError: (err) => log.error('a role or binding cannot be read', { err }),
        signal,
      });
      const onError = (err: Error): void => log.error('an object for the node authorizer cannot be read', { err });
      await node.follow({ resources, onError, signal });
      if (authorizationConfig === undefined || parse === undefined) return;
      await files.follow([authorizationConfig], {
        onContents: ([content]) => {
          modes.replace(parse(content));
          return node.follow({ resources, onError, signal });
        },
        onError: (err) => log.error('authorization configuration not reloaded', { file: authorizationConfig, err }),
        signal,
      });
    },
  };
}

interface Configured {
  readonly configuration: AuthorizationConfiguration;
  readonly parse?: (content: Buffer) => AuthorizationConfiguration;
  readonly openWebhook?: AuthorizationModesOptions['openWebhook'];
}

/** Configuration files and webhooks are loaded on demand, because they bring the CEL library. */
async function configured(
  options: ResolvedOptions,
  { files, stopCalls }: Pick<PermissionsDependencies, 'files' | 'stopCalls'>,
): Promise<Configured> {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile: kubeConfigFile } = options;
  if (authorizationConfig !== undefined) {
    const { parseAuthorizationConfiguration: parse } = await import('../../authz/config/index.ts');
    const configuration = parse(await files.read('authorization-config', authorizationConfig));
    return { configuration, parse, openWebhook: await webhookOpener(files, stopCalls) };
  }
  const configuration = configurationOfModes(authorizationMode, {
    kubeConfigFile,
    version: options.authorizationWebhookVersion,
    authorizedMs: options.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedMs: options.authorizationWebhookCacheUnauthorizedTtlMs,
  });
  if (kubeConfigFile === undefined) return { configuration };
  return { configuration, openWebhook: await webhookOpener(files, stopCalls) };
}

async function webhookOpener(files: OptionFiles, stop: AbortSignal): Promise<AuthorizationModesOptions['openWebhook']> {
  const { openWebhook } = await import('../../authz/webhook/index.ts');
  return (webhook, name, meter) => openWebhook(webhook, { name, meter, stop, read: (path) => files.readNow(path) });
}
