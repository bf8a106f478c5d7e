/**
 * Who makes a request. Authenticators look at the connection and at the headers, and the chain asks them in order. What
 * the user may do is decided in `authz`; where the bytes come from is the business of `http`, of which this folder knows
 * nothing but the `Peer`.
 */
export { AuthenticationChain } from './authentication-chain.ts';
export type { Authenticator, Credentials } from './authenticator.ts';
export { noBearerTokens } from './bearer-token.ts';
export { ClientCertificateAuthenticator } from './client-certificate.ts';
export type { Peer } from './peer.ts';
export { TokenIssuer } from './service-account/token-issuer.ts';
export type { UserInfo } from '../meta/user.ts';
