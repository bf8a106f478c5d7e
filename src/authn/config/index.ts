/** The configuration of authentication: from a file or from flags, read strictly and compiled before it is used. */
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
