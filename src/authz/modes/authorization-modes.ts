import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Meter } from '../../meta/meter.ts';
import type { UserInfo } from '../../meta/user.ts';
import { alwaysAllow, alwaysDeny } from '../always.ts';
import { AuthorizationChain } from '../authorization-chain.ts';
import type { Attributes, Authorizer, Decision } from '../authorizer.ts';
import { mastersAuthorizer } from '../masters.ts';
import { MeteredAuthorizer } from '../metered-authorizer.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { incompleteRules, UnionRuleResolver } from '../union-rule-resolver.ts';
import type {
  AuthorizationConfiguration,
  AuthorizerConfiguration,
  WebhookConfiguration,
} from './authorization-configuration.ts';

/** An authorizer that cannot list its rules has no `rulesFor`. */
export type ConfigurableAuthorizer = Authorizer & Partial<RuleResolver>;

export interface AuthorizationModesOptions {
  /**
   * Creates the authorizers of the server by type: `RBAC`, `Node`, `ABAC`. Each is called at most once, on first use.
   */
  readonly factories: Readonly<Record<string, () => ConfigurableAuthorizer>>;
  /** Opens the webhooks of a configuration. Throws a RangeError for an unusable kubeconfig. */
  readonly openWebhook?:
    | ((configuration: WebhookConfiguration, name: string, meter?: Meter) => OpenWebhook)
    | undefined;
  readonly meter?: Meter | undefined;
}

export interface OpenWebhook {
  readonly authorizer: ConfigurableAuthorizer;
  /** Closes the connections. */
  readonly close: () => void;
}

interface Chain {
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly webhooks: readonly OpenWebhook[];
}

/**
 * The authorizers of a configuration, after the one for `system:masters`. The configuration can be replaced at any
 * time.
 */
export class AuthorizationModes implements Authorizer, RuleResolver {
  readonly #authorizers = new Map<string, ConfigurableAuthorizer>([
    ['AlwaysAllow', alwaysAllow],
    ['AlwaysDeny', alwaysDeny],
  ]);
  readonly #options: AuthorizationModesOptions;
  #configuration: AuthorizationConfiguration;
  #chain: Chain;

  /** Throws a RangeError for an unavailable type or an unusable kubeconfig of a webhook. */
  constructor(configuration: AuthorizationConfiguration, options: AuthorizationModesOptions) {
    this.#options = options;
    this.#configuration = configuration;
    this.#chain = this.#build(configuration);
  }

  get configuration(): AuthorizationConfiguration {
    return this.#configuration;
  }

  /**
   * Switches to another configuration. Throws a RangeError and changes nothing when it is unusable. An equal
   * configuration changes nothing either, so that webhooks keep their caches.
   */
  replace(configuration: AuthorizationConfiguration): void {
    if (JSON.stringify(configuration) === JSON.stringify(this.#configuration)) return;
    const chain = this.#build(configuration);
    this.close();
    this.#configuration = configuration;
    this.#chain = chain;
  }

  authorize(attributes: Attributes): MaybePromise<Decision> {
    return this.#chain.authorizer.authorize(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules> {
    return this.#chain.rules.rulesFor(user, namespace);
  }

  /** Closes the connections to webhooks. */
  close(): void {
    for (const { close } of this.#chain.webhooks) close();
  }

  #build({ authorizers: configured }: AuthorizationConfiguration): Chain {
    const webhooks: OpenWebhook[] = [];
    const { meter } = this.#options;
    const authorizers = configured.map(({ type, name, webhook }) => {
      if (webhook === undefined) return { type, name, authorizer: this.#authorizerOfType(type) };
      const open = this.#options.openWebhook?.(webhook, name, meter);
      if (open === undefined) throw new RangeError('webhooks are not available in this server');
      webhooks.push(open);
      return { type, name, authorizer: open.authorizer };
    });
    return {
      authorizer: new AuthorizationChain([
        mastersAuthorizer,
        ...authorizers.map(({ authorizer, ...about }) =>
          meter === undefined ? authorizer : new MeteredAuthorizer(authorizer, meter, about),
        ),
      ]),
      rules: new UnionRuleResolver(authorizers.map(ruleResolverOf)),
      webhooks,
    };
  }

  #authorizerOfType(type: string): ConfigurableAuthorizer {
    let authorizer = this.#authorizers.get(type);
    if (authorizer === undefined) {
      const factory = Object.hasOwn(this.#options.factories, type) ? this.#options.factories[type] : undefined;
      if (factory === undefined) throw new RangeError(`authorizer type ${type} is not available in this server`);
      authorizer = factory();
      this.#authorizers.set(type, authorizer);
    }
    return authorizer;
  }
}

function ruleResolverOf({
  type,
  authorizer,
}: {
  type: AuthorizerConfiguration['type'];
  authorizer: ConfigurableAuthorizer;
}) {
  const { rulesFor } = authorizer;
  if (rulesFor === undefined) return incompleteRules(type.toLowerCase());
  return { rulesFor: (user: UserInfo, namespace: string) => rulesFor.call(authorizer, user, namespace) };
}
