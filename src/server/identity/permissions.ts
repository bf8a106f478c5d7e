import { type AuthorizationConfiguration, AuthorizationModes, configurationOfModes } from '../../authz/modes/index.ts';
import { RbacAuthorizer, RbacIndex } from '../../authz/rbac/index.ts';
import type { ResourceSet } from '../../registry/index.ts';
import { followFile } from '../files/follow-file.ts';
import { readOptionFile } from '../files/read-option-file.ts';
import type { ResolvedOptions } from '../options.ts';
import { followRoles } from './follow-roles.ts';
import { NodePermissions } from './node-permissions.ts';

/** Who may do what in this server. */
export interface Permissions {
  /** The authorizers of the configuration, behind `system:masters`. */
  readonly modes: AuthorizationModes;
  /** Roles and bindings as they are, whether or not they are asked: nobody may grant more than they say that one has. */
  readonly rbac: RbacAuthorizer;
  /** Where nodes are authorized, what they write is looked at as well. */
  readonly nodes: {
    /** False when they are not, and no change of a file can make it so. */
    readonly mayBeAuthorized: boolean;
    readonly areAuthorized: () => boolean;
  };
  /** Resolves when roles, bindings and files are known; they are followed from then on. */
  follow(resources: ResourceSet, signal: AbortSignal): Promise<void>;
}

/** Rejects with a RangeError for modes or a configuration that cannot be used. */
export async function permissions(options: ResolvedOptions): Promise<Permissions> {
  const index = new RbacIndex();
  const rbac = new RbacAuthorizer(index);
  const node = new NodePermissions();
  const factories = { RBAC: () => rbac, Node: () => node.authorizer() };
  const { configuration, parse, openWebhook } = await configured(options);
  const modes = new AuthorizationModes(configuration, { factories, openWebhook });
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
      const onError = (err: Error): void => log.error('what belongs to a node cannot be read', { err });
      await node.follow({ resources, onError, signal });
      if (authorizationConfig === undefined || parse === undefined) return;
      await followFile(authorizationConfig, {
        onContent: (content) => {
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
  readonly openWebhook?: typeof import('../../authz/webhook/index.ts').openWebhook;
}

/** What reads files and talks to webhooks is loaded only where there are some: it brings a language of expressions with it. */
async function configured(options: ResolvedOptions): Promise<Configured> {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile: kubeConfigFile } = options;
  if (authorizationConfig !== undefined) {
    const [{ parseAuthorizationConfiguration: parse }, { openWebhook }] = await Promise.all([
      import('../../authz/config/index.ts'),
      import('../../authz/webhook/index.ts'),
    ]);
    const configuration = parse(await readOptionFile('authorization-config', authorizationConfig));
    return { configuration, parse, openWebhook };
  }
  const configuration = configurationOfModes(authorizationMode, {
    kubeConfigFile,
    version: options.authorizationWebhookVersion,
    authorizedMs: options.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedMs: options.authorizationWebhookCacheUnauthorizedTtlMs,
  });
  if (kubeConfigFile === undefined) return { configuration };
  const { openWebhook } = await import('../../authz/webhook/index.ts');
  return { configuration, openWebhook };
}
