/**
 * Which authorizers decide: from a file of kind AuthorizationConfiguration, or from flags that say the same in short.
 */
export type { AuthorizationConfiguration } from './authorization-configuration.ts';
export {
  AuthorizationModes,
  type AuthorizationModesOptions,
  type ConfigurableAuthorizer,
} from './authorization-modes.ts';
export { configurationOfModes, type WebhookFlags } from './configuration-of-modes.ts';
export { parseAuthorizationConfiguration } from './parse-authorization-configuration.ts';
