/** Users of other issuers, who bring a JSON Web Token: OpenID Connect providers and the like. */
export type { IssuerKeysOptions } from './issuer-keys.ts';
export { JwtAuthenticator } from './jwt-authenticator.ts';
