/**
 * By what others verify the tokens of service accounts: who signs them and with which keys, as OpenID Connect has it. How
 * tokens are made and read is in `authn`.
 */
export { OpenId } from './openid.ts';
