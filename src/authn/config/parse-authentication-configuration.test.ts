import { describe, expect, it } from 'vitest';
import { createAuthority } from '../../../test/wire/certificates.ts';
import { signingAlgorithms } from './authentication-configuration.ts';
import { parseAuthenticationConfiguration } from './parse-authentication-configuration.ts';

const disallowedIssuers = ['https://own.example', 'https://older.example'];

const jwt = (more: object = {}) => ({
  issuer: { url: 'https://issuer.example', audiences: ['a'] },
  claimMappings: { username: { claim: 'sub', prefix: '' } },
  ...more,
});
const issuer = (more: object) => jwt({ issuer: { url: 'https://issuer.example', audiences: ['a'], ...more } });
const mappings = (more: object) => jwt({ claimMappings: { username: { claim: 'sub', prefix: '' }, ...more } });
const document = (...all: object[]) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: all,
});

function problemOf(content: unknown): string {
  try {
    parseAuthenticationConfiguration(typeof content === 'string' ? content : JSON.stringify(content), {
      disallowedIssuers,
    });
    return 'none';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message.replace('authentication configuration: ', '');
  }
}

describe('a valid configuration', () => {
  it('is read from YAML', async () => {
    const { cert } = await createAuthority('ca');
    const found = parseAuthenticationConfiguration(`
apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://one.example/realm
    discoveryURL: https://discovery.example/.well-known/openid-configuration
    audiences: [a, b]
    audienceMatchPolicy: MatchAny
    certificateAuthority: |
      ${cert.trim().replaceAll('\n', '\n      ')}
  claimValidationRules:
  - {claim: hd, requiredValue: example.com}
  - {expression: claims.exp - claims.nbf <= 86400, message: too long}
  claimMappings:
    username: {expression: "'one:' + claims.sub"}
    groups: {claim: roles, prefix: "one:"}
    uid: {claim: uid}
    extra:
    - {key: example.com/tenant, valueExpression: claims.tenant}
  userValidationRules:
  - {expression: "!user.username.startsWith('system:')", message: reserved}
- issuer: {url: "https://two.example", audiences: [a]}
  claimMappings: {username: {claim: email, prefix: ""}}
anonymous:
  enabled: true
  conditions: [{path: /livez}, {path: /readyz}]
`);
    expect(found.anonymous).toEqual({ enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] });
    expect(found.jwt).toHaveLength(2);
    const [one, two] = found.jwt;
    expect(one).toMatchObject({
      issuer: {
        url: 'https://one.example/realm',
        discoveryUrl: 'https://discovery.example/.well-known/openid-configuration',
        audiences: ['a', 'b'],
        certificateAuthority: expect.stringContaining('BEGIN CERTIFICATE'),
      },
      signingAlgorithms,
      requiredClaims: [{ claim: 'hd', value: 'example.com' }],
      claimRules: [{ program: { text: 'claims.exp - claims.nbf <= 86400' }, message: 'too long' }],
      username: { program: { text: "'one:' + claims.sub" } },
      groups: { claim: 'roles', prefix: 'one:' },
      uid: { claim: 'uid', prefix: '' },
      extra: [{ key: 'example.com/tenant', program: { text: 'claims.tenant' } }],
      userRules: [{ message: 'reserved' }],
    });
    expect(two).toMatchObject({ username: { claim: 'email', prefix: '' }, groups: undefined, uid: undefined });
  });

  it('may be nearly empty', () => {
    expect(parseAuthenticationConfiguration(JSON.stringify(document()))).toEqual({ jwt: [] });
    const disabled = { ...document(), jwt: null, anonymous: { enabled: false } };
    expect(parseAuthenticationConfiguration(JSON.stringify(disabled))).toEqual({
      jwt: [],
      anonymous: { enabled: false },
    });
  });
});

describe('a malformed document', () => {
  it.each<[string, unknown, string]>([
    ['nothing', '', 'the document is empty'],
    ['no YAML', 'a: [', 'yaml: '],
    ['another kind', { apiVersion: 'v1', kind: 'Pod' }, 'no kind "Pod" is registered for version "v1"'],
    [
      'another version',
      { ...document(), apiVersion: 'apiserver.config.k8s.io/v7' },
      'no kind "AuthenticationConfiguration" is registered for version',
    ],
    ['an unknown field', { ...document(), jwts: [] }, 'strict decoding error: unknown field "jwts"'],
    [
      'an unknown inner field',
      document(issuer({ Url: 'x' })),
      'strict decoding error: unknown field "jwt[0].issuer.Url"',
    ],
    [
      'a field of objects',
      document(jwt({ constructor: 1 })),
      'strict decoding error: unknown field "jwt[0].constructor"',
    ],
    [
      'a wrong type',
      document(issuer({ audiences: 'a' })),
      'strict decoding error: jwt[0].issuer.audiences: expected a list, got a string',
    ],
    [
      'a wrong inner type',
      document(issuer({ url: 1 })),
      'strict decoding error: jwt[0].issuer.url: expected a string, got a number',
    ],
    [
      'a repeated key',
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: []\njwt: []\n',
      'strict decoding error: line 4: key "jwt" already set in map',
    ],
    ['a list', '[]', 'no kind "" is registered for version ""'],
  ])('%s', (_name, content, problem) => {
    expect(problemOf(content)).toContain(problem);
  });
});

describe('an invalid configuration', () => {
  const url = 'jwt[0].issuer.url: Invalid value: ';
  const emails = 'claims.email_verified must be used in claimMappings.username.expression or';
  it.each<[string, object, string]>([
    ['no URL', issuer({ url: '' }), 'jwt[0].issuer.url: Required value'],
    ['http', issuer({ url: 'http://a.example' }), `${url}"http://a.example": URL scheme must be https`],
    ['http on loopback', issuer({ url: 'http://127.0.0.1' }), `${url}"http://127.0.0.1": URL scheme must be https`],
    ['no scheme', issuer({ url: 'a.example' }), `${url}"a.example": URL scheme must be https`],
    ['no host', issuer({ url: 'https://' }), `${url}"https://": parse "https://": invalid URL`],
    ['a password', issuer({ url: 'https://u:p@a.example' }), 'URL must not contain a username or password'],
    ['a query', issuer({ url: 'https://a.example?x=1' }), 'URL must not contain a query'],
    ['a fragment', issuer({ url: 'https://a.example#x' }), 'URL must not contain a fragment'],
    ['control characters', issuer({ url: 'https://a\n.example' }), 'net/url: invalid control character in URL'],
    [
      'our own issuer',
      issuer({ url: 'https://own.example' }),
      `${url}"https://own.example": URL must not overlap with disallowed issuers: [https://older.example https://own.example]`,
    ],
    [
      'discovery at the issuer',
      issuer({ discoveryURL: 'https://issuer.example/' }),
      'discoveryURL must be different from URL',
    ],
    [
      'discovery over http',
      issuer({ discoveryURL: 'http://a.example' }),
      'jwt[0].issuer.discoveryURL: Invalid value: "http://a.example": URL scheme must be https',
    ],
    [
      'no audiences',
      issuer({ audiences: [] }),
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    ['an empty audience', issuer({ audiences: [''] }), 'jwt[0].issuer.audiences[0]: Required value'],
    [
      'a repeated audience',
      issuer({ audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' }),
      'jwt[0].issuer.audiences[1]: Duplicate value: "a"',
    ],
    [
      'audiences without a policy',
      issuer({ audiences: ['a', 'b'] }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      'an unknown policy',
      issuer({ audienceMatchPolicy: 'MatchAll' }),
      'audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
    [
      'no certificate',
      issuer({ certificateAuthority: 'x' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    [
      'a bad certificate',
      issuer({ certificateAuthority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": ',
    ],
    ['egress', issuer({ egressSelectorType: 'cluster' }), 'egress selector is not supported'],
    [
      'no mappings',
      jwt({ claimMappings: null }),
      'jwt[0].claimMappings.username: Required value: claim or expression is required',
    ],
    [
      'claim and expression',
      mappings({ username: { claim: 'a', prefix: '', expression: 'claims.a' } }),
      'jwt[0].claimMappings.username: Invalid value: "": claim and expression can\'t both be set',
    ],
    [
      'no prefix',
      mappings({ username: { claim: 'sub' } }),
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set',
    ],
    [
      'prefix and expression',
      mappings({ groups: { expression: 'claims.a', prefix: '' } }),
      'jwt[0].claimMappings.groups.prefix: Invalid value: "": may not be specified when expression is set',
    ],
    [
      'uid twice',
      mappings({ uid: { claim: 'a', expression: 'claims.a' } }),
      'jwt[0].claimMappings.uid: Invalid value: "": claim and expression can\'t both be set',
    ],
    [
      'a bad expression',
      mappings({ uid: { expression: 'claim.a' } }),
      `jwt[0].claimMappings.uid.expression: Invalid value: "claim.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'claim' (in container '')`,
    ],
    ['users in claims', mappings({ groups: { expression: 'user.groups' } }), "undeclared reference to 'user'"],
    ['unverified addresses', mappings({ username: { expression: 'claims.email' } }), emails],
    [
      'unverified addresses in a list',
      mappings({ username: { expression: '[claims.?email.orValue("")][0]' } }),
      emails,
    ],
    [
      'an extra key without a domain',
      mappings({ extra: [{ key: 'foo', valueExpression: 'claims.a' }] }),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'no extra key',
      mappings({ extra: [{ valueExpression: 'claims.a' }] }),
      'jwt[0].claimMappings.extra[0].key: Required value',
    ],
    [
      'an upper case extra key',
      mappings({ extra: [{ key: 'a.example/Foo', valueExpression: 'claims.a' }] }),
      'must be lowercase',
    ],
    [
      'a reserved extra key',
      mappings({ extra: [{ key: 'x.kubernetes.io/foo', valueExpression: 'claims.a' }] }),
      'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    [
      'another reserved extra key',
      mappings({ extra: [{ key: 'k8s.io/foo', valueExpression: 'claims.a' }] }),
      'are reserved for Kubernetes use',
    ],
    [
      'a repeated extra key',
      mappings({
        extra: [
          { key: 'a.example/b', valueExpression: 'claims.a' },
          { key: 'a.example/b', valueExpression: 'claims.b' },
        ],
      }),
      'jwt[0].claimMappings.extra[1].key: Duplicate value: "a.example/b"',
    ],
    [
      'no extra expression',
      mappings({ extra: [{ key: 'a.example/b' }] }),
      'jwt[0].claimMappings.extra[0].valueExpression: Required value',
    ],
    [
      'an empty rule',
      jwt({ claimValidationRules: [{}] }),
      'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    ],
    [
      'a rule of both kinds',
      jwt({ claimValidationRules: [{ claim: 'a', expression: 'true' }] }),
      'jwt[0].claimValidationRules[0]: Invalid value: "a": claim and expression can\'t both be set',
    ],
    [
      'a message for a claim',
      jwt({ claimValidationRules: [{ claim: 'a', message: 'm' }] }),
      'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
    ],
    [
      'a value for an expression',
      jwt({ claimValidationRules: [{ expression: 'true', requiredValue: 'v' }] }),
      'jwt[0].claimValidationRules[0].requiredValue: Invalid value: "v": may not be specified when expression is set',
    ],
    [
      'a repeated claim',
      jwt({ claimValidationRules: [{ claim: 'a' }, { claim: 'a' }] }),
      'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"',
    ],
    [
      'a repeated expression',
      jwt({ claimValidationRules: [{ expression: 'true' }, { expression: 'true' }] }),
      'jwt[0].claimValidationRules[1].expression: Duplicate value: "true"',
    ],
    [
      'a rule that is no condition',
      jwt({ claimValidationRules: [{ expression: 'claims.a' }] }),
      'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to bool',
    ],
    [
      'an empty user rule',
      jwt({ userValidationRules: [{}] }),
      'jwt[0].userValidationRules[0].expression: Required value',
    ],
    [
      'a user rule on claims',
      jwt({ userValidationRules: [{ expression: 'claims.a == 1' }] }),
      "undeclared reference to 'claims'",
    ],
    [
      'a user rule on no field',
      jwt({ userValidationRules: [{ expression: "user.name == 'a'" }] }),
      "undefined field 'name'",
    ],
    [
      'a repeated user rule',
      jwt({ userValidationRules: [{ expression: 'true' }, { expression: 'true' }] }),
      'jwt[0].userValidationRules[1].expression: Duplicate value: "true"',
    ],
  ])('%s', (_name, one, problem) => {
    expect(problemOf(document(one))).toContain(problem);
  });

  it.each<[string, object]>([
    ['in the name', { claimMappings: { username: { expression: "claims.email_verified ? claims.email : ''" } } }],
    [
      'in a rule',
      {
        claimMappings: { username: { expression: 'claims.email' } },
        claimValidationRules: [{ expression: 'claims.?email_verified.orValue(true) == true' }],
      },
    ],
    [
      'in an extra',
      {
        claimMappings: {
          username: { expression: 'claims.email' },
          extra: [{ key: 'a.example/v', valueExpression: 'string(claims.email_verified)' }],
        },
      },
    ],
  ])('takes addresses that are verified %s', (_name, more) => {
    expect(problemOf(document(jwt(more)))).toBe('none');
  });

  it('reports all errors', () => {
    const bad = issuer({ url: '', audiences: [] });
    expect(problemOf(document(bad, jwt(), jwt()))).toBe(
      '[jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[2].issuer.url: Duplicate value: "https://issuer.example"]',
    );
  });

  it('has at most 64 issuers', () => {
    const many = (count: number) =>
      document(...Array.from({ length: count }, (_, index) => issuer({ url: `https://i${index}.example` })));
    expect(problemOf(many(64))).toBe('none');
    expect(problemOf(many(65))).toBe('jwt: Too many: 65: must have at most 64 items');
  });

  it('refuses duplicate discovery URLs', () => {
    const at = (name: string) => issuer({ url: `https://${name}.example`, discoveryURL: 'https://d.example' });
    expect(problemOf(document(at('a'), at('b')))).toContain(
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://d.example"',
    );
  });

  it('refuses conditions when anonymous requests are disabled', () => {
    const content = { ...document(), anonymous: { enabled: false, conditions: [{ path: '/livez' }] } };
    expect(problemOf(content)).toBe(
      'anonymous.conditions: Invalid value: [{"Path":"/livez"}]: enabled should be set to true when conditions are defined',
    );
  });
});
