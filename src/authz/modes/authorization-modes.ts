import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { UserInfo } from '../../meta/user.ts';
import { alwaysAllow, alwaysDeny } from '../always.ts';
import { AuthorizationChain } from '../authorization-chain.ts';
import type { Attributes, Authorizer, Decision } from '../authorizer.ts';
import { mastersAuthorizer } from '../masters.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { UnionRuleResolver, unlistedRules } from '../union-rule-resolver.ts';
import type {
  AuthorizationConfiguration,
  AuthorizerConfiguration,
  WebhookConfiguration,
} from './authorization-configuration.ts';

/** One that cannot list rules beforehand has no `rulesFor`. */
export type ConfigurableAuthorizer = Authorizer & Partial<RuleResolver>;

export interface AuthorizationModesOptions {
  /** The authorizers that the server brings, by type: `RBAC`, `Node`, `ABAC`. Made once, when first asked for. */
  readonly factories: Readonly<Record<string, () => ConfigurableAuthorizer>>;
  /** For the configurations that name webhooks. Throws a RangeError when a kubeconfig cannot be used. */
  readonly openWebhook?: ((configuration: WebhookConfiguration) => OpenWebhook) | undefined;
}

export interface OpenWebhook {
  readonly authorizer: ConfigurableAuthorizer;
  /** Lets go of the connections. */
  readonly close: () => void;
}

interface Chain {
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly webhooks: readonly OpenWebhook[];
}

/**
 * The authorizers that a configuration names, after `system:masters`. Another configuration may take its place at any
 * time.
 */
export class AuthorizationModes implements Authorizer, RuleResolver {
  readonly #made = new Map<string, ConfigurableAuthorizer>([
    ['AlwaysAllow', alwaysAllow],
    ['AlwaysDeny', alwaysDeny],
  ]);
  readonly #options: AuthorizationModesOptions;
  #configuration: AuthorizationConfiguration;
  #chain: Chain;

  /** Throws RangeError when there is no authorizer of a type, or when a webhook's kubeconfig cannot be used. */
  constructor(configuration: AuthorizationConfiguration, options: AuthorizationModesOptions) {
    this.#options = options;
    this.#configuration = configuration;
    this.#chain = this.#build(configuration);
  }

  /** In order, by the names of the configuration. */
  get configuration(): AuthorizationConfiguration {
    return this.#configuration;
  }

  /**
   * Goes on with another configuration. Throws RangeError when that cannot be used, and then nothing changes. With the
   * configuration as it was nothing changes either, and webhooks keep the answers that they have.
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

  /** Lets go of the connections to webhooks. */
  close(): void {
    for (const { close } of this.#chain.webhooks) close();
  }

  #build({ authorizers: configured }: AuthorizationConfiguration): Chain {
    const webhooks: OpenWebhook[] = [];
    const authorizers = configured.map(({ type, webhook }) => {
      if (webhook === undefined) return { type, authorizer: this.#ofType(type) };
      const open = this.#options.openWebhook?.(webhook);
      if (open === undefined) throw new RangeError('webhooks are not available in this server');
      webhooks.push(open);
      return { type, authorizer: open.authorizer };
    });
    return {
      authorizer: new AuthorizationChain([mastersAuthorizer, ...authorizers.map(({ authorizer }) => authorizer)]),
      rules: new UnionRuleResolver(authorizers.map(rulesOf)),
      webhooks,
    };
  }

  #ofType(type: string): ConfigurableAuthorizer {
    let authorizer = this.#made.get(type);
    if (authorizer === undefined) {
      const make = Object.hasOwn(this.#options.factories, type) ? this.#options.factories[type] : undefined;
      if (make === undefined) throw new RangeError(`authorizer type ${type} is not available in this server`);
      authorizer = make();
      this.#made.set(type, authorizer);
    }
    return authorizer;
  }
}

function rulesOf({ type, authorizer }: { type: AuthorizerConfiguration['type']; authorizer: ConfigurableAuthorizer }) {
  const { rulesFor } = authorizer;
  if (rulesFor === undefined) return unlistedRules(type.toLowerCase());
  return { rulesFor: (user: UserInfo, namespace: string) => rulesFor.call(authorizer, user, namespace) };
}
