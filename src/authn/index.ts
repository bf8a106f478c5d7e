/**
 * Authentication: determines the user who makes a request. Authenticators examine the connection and the headers; the
 * chain tries them in order. Authorization is in `authz`. `Peer` is the only dependency on the transport.
 */

export type { UserInfo } from '../meta/user.ts';
export { AnonymousAuthenticator } from './anonymous.ts';
export { AuthenticationChain } from './authentication-chain.ts';
export type { Authenticator, Credentials } from './authenticator.ts';
export { BearerTokenAuthenticator, isTokenProtocol } from './bearer-token.ts';
export { BootstrapTokenAuthenticator } from './bootstrap-token.ts';
export { CertificateAuthorities } from './certificate-authorities.ts';
export { certificateChain, withIssuers } from './certificate-chain.ts';
export { ClientCertificateAuthenticator } from './client-certificate.ts';
export { FrontProxyAuthenticator, type ProxyHeaders } from './front-proxy.ts';
export { isForwarded } from './is-forwarded.ts';
export { healthProbe, loopbackHealth } from './loopback-health.ts';
export type { Peer } from './peer.ts';
export { headerValues, valuesByPrefix } from './raw-headers.ts';
export { ServiceAccountKeys, type VerificationKey } from './service-account/service-account-keys.ts';
export { ServiceAccountTokenAuthenticator } from './service-account/service-account-token-authenticator.ts';
export { TokenIssuer } from './service-account/token-issuer.ts';
export type { TokenAuthenticator } from './token-authenticator.ts';
export { TokenChain } from './token-chain.ts';
export { TokenFile } from './token-file.ts';
