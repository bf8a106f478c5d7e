import { goQuote, goQuoteList } from '../../meta/go-quote.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import {
  type AuthorizationConfiguration,
  authorizerTypes,
  type WebhookConfiguration,
} from './authorization-configuration.ts';

/** Values of the webhook flags. */
export type WebhookFlags = Pick<WebhookConfiguration, 'version' | 'authorizedMs' | 'unauthorizedMs'> & {
  /** Undefined when the flag is not set. */
  readonly kubeConfigFile: string | undefined;
};

/**
 * Returns the configuration that is equivalent to a list of modes. Throws a RangeError that lists the errors of the
 * flags.
 */
export function configurationOfModes(modes: readonly string[], webhook: WebhookFlags): AuthorizationConfiguration {
  const errors: string[] = [];
  if (modes.length === 0) errors.push('at least one authorization-mode must be passed');
  for (const mode of modes) {
    if (!authorizerTypes.some((type) => type === mode)) {
      errors.push(`authorization-mode ${goQuote(mode)} is not a valid mode`);
    }
  }
  const { kubeConfigFile, ...rest } = webhook;
  if (modes.includes('Webhook') && kubeConfigFile === undefined) {
    errors.push("authorization-mode Webhook's authorization config file not passed");
  }
  if (!modes.includes('Webhook') && kubeConfigFile !== undefined) {
    errors.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  }
  if (new Set(modes).size !== modes.length) {
    errors.push(`authorization-mode ${goQuoteList(modes)} has mode specified more than once`);
  }
  if (errors.length > 0) throw new RangeError(joinedErrors(errors));
  return {
    authorizers: modes.map((type) => ({
      type,
      name: type === 'Webhook' ? 'default' : type.toLowerCase(),
      ...(type === 'Webhook' && {
        webhook: {
          ...rest,
          kubeConfigFile: kubeConfigFile!,
          timeoutMs: 30_000,
          failurePolicy: 'NoOpinion' as const,
          matchConditions: [],
        },
      }),
    })),
  };
}
