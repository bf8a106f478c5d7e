/**
 * The authentication configuration, from a file or from flags. It is decoded strictly, validated and compiled before
 * use.
 */
export type {
  AnonymousConfiguration,
  AuthenticationConfiguration,
  IssuerConfiguration,
  JwtConfiguration,
  MappingConfiguration,
  RuleConfiguration,
} from './authentication-configuration.ts';
export { configurationOfOidcFlags, type OidcFlags } from './oidc-flags.ts';
export { type ConfigurationContext, parseAuthenticationConfiguration } from './parse-authentication-configuration.ts';
