/** Parses files of kind AuthorizationConfiguration. */
export { parseAuthorizationConfiguration } from './parse-authorization-configuration.ts';
