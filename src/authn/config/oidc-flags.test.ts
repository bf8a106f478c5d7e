import { describe, expect, it } from 'vitest';
import { configurationOfOidcFlags, type OidcFlags } from './oidc-flags.ts';

const usual: OidcFlags = { issuerUrl: 'https://issuer.example', clientId: 'cluster' };
const configured = (more: OidcFlags = {}) => configurationOfOidcFlags({ ...usual, ...more });

describe('the oidc flags', () => {
  it('describe one issuer', () => {
    expect(configured()).toEqual({
      issuer: { url: 'https://issuer.example', audiences: ['cluster'] },
      signingAlgorithms: ['RS256'],
      requiredClaims: [],
      claimRules: [],
      username: { claim: 'sub', prefix: 'https://issuer.example#' },
      groups: undefined,
      uid: undefined,
      extra: [],
      userRules: [],
    });
    const found = configured({
      groupsClaim: 'roles',
      groupsPrefix: 'oidc:',
      requiredClaims: ['a=b', 'c=d=e', 'a=f'],
      signingAlgs: ['ES256', 'RS256'],
    });
    expect(found).toMatchObject({
      signingAlgorithms: ['ES256', 'RS256'],
      groups: { claim: 'roles', prefix: 'oidc:' },
      requiredClaims: [
        { claim: 'a', value: 'f' },
        { claim: 'c', value: 'd=e' },
      ],
    });
  });

  it.each<[OidcFlags, object]>([
    [{ usernameClaim: 'name' }, { claim: 'name', prefix: 'https://issuer.example#' }],
    [{ usernameClaim: 'email' }, { claim: 'email', prefix: '' }],
    [{ usernamePrefix: '-' }, { claim: 'sub', prefix: '' }],
    [{ usernamePrefix: 'oidc:' }, { claim: 'sub', prefix: 'oidc:' }],
    [
      { usernameClaim: 'email', usernamePrefix: 'mail:' },
      { claim: 'email', prefix: 'mail:' },
    ],
  ])('name users by %j', (flags, username) => {
    expect(configured(flags)?.username).toEqual(username);
  });

  it('may all be absent', () => {
    expect(configurationOfOidcFlags({})).toBeUndefined();
    expect(configurationOfOidcFlags({ issuerUrl: '', requiredClaims: [] })).toBeUndefined();
  });

  it.each<[OidcFlags, string]>([
    [{ clientId: '' }, 'oidc-issuer-url and oidc-client-id must be specified together'],
    [{ issuerUrl: undefined }, 'oidc-issuer-url and oidc-client-id must be specified together'],
    [
      { issuerUrl: '', clientId: '', groupsClaim: 'g' },
      'oidc-issuer-url and oidc-client-id must be specified together',
    ],
    [
      { issuerUrl: 'http://issuer.example' },
      'jwt[0].issuer.url: Invalid value: "http://issuer.example": URL scheme must be https',
    ],
    [{ signingAlgs: ['HS256'] }, 'oidc: unsupported signing alg: "HS256"'],
    [{ signingAlgs: ['none'] }, 'oidc: unsupported signing alg: "none"'],
    [{ requiredClaims: ['a'] }, 'oidc-required-claim: malformed pair, expect string=string: "a"'],
    [{ certificateAuthority: 'x' }, 'data does not contain any valid RSA or ECDSA certificates'],
  ])('refuse %j', (flags, problem) => {
    expect(() => configured(flags)).toThrow(problem);
    expect(() => configured(flags)).toThrow(RangeError);
  });

  it('refuse the issuer of this server', () => {
    const context = { disallowedIssuers: ['https://issuer.example'] };
    expect(() => configurationOfOidcFlags(usual, context)).toThrow('URL must not overlap with disallowed issuers');
  });
});
