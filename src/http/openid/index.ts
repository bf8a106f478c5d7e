/**
 * The OpenID Connect documents with which others verify service account tokens: the issuer and its public keys.
 * Creating and verifying tokens is in `authn`.
 */
export { OpenId } from './openid.ts';
