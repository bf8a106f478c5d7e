/** Authentication by JSON Web Tokens of external issuers, such as OpenID Connect providers. */
export type { IssuerKeysOptions } from './issuer-keys.ts';
export { JwtAuthenticator } from './jwt-authenticator.ts';
