/** Which authorizers decide, from a file of kind AuthorizationConfiguration. */
export { parseAuthorizationConfiguration } from './parse-authorization-configuration.ts';
