import { describe, expect, it } from 'vitest';
import { runSync } from '../../meta/turns.ts';
import { parseAuthenticationConfiguration } from '../config/index.ts';
import { mapClaims } from './map-claims.ts';

const claims = {
  sub: 'jane',
  email: 'Jane@Example.com',
  email_verified: true,
  level: 3,
  roles: ['dev', '', 'ops'],
  realm: { access: { roles: ['a', 'b'] }, tenants: { x: 'X', y: 'Y' } },
  empty: '',
  nothing: null,
  admin: false,
  constructor: 'tricky',
  'https://example.com/groups': ['far'],
};

function configured(jwt: { readonly claimMappings?: object; readonly [field: string]: unknown }) {
  const document = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://issuer.example', audiences: ['a'] },
        ...jwt,
        claimMappings: { username: { claim: 'sub', prefix: '' }, ...jwt.claimMappings },
      },
    ],
  };
  return parseAuthenticationConfiguration(JSON.stringify(document)).jwt[0]!;
}

const mapped = (jwt: Parameters<typeof configured>[0]) => runSync(mapClaims(claims, configured(jwt)));

describe('names', () => {
  it.each<[object, string]>([
    [{ claim: 'sub', prefix: 'oidc:' }, 'oidc:jane'],
    [{ claim: 'constructor', prefix: '' }, 'tricky'],
    [{ expression: 'claims.sub' }, 'jane'],
    [{ expression: "'oidc:' + claims.sub + '/' + string(claims.level)" }, 'oidc:jane/3'],
    [{ expression: "claims.email_verified ? claims.email.lowerAscii() : ''" }, 'jane@example.com'],
    [{ expression: "claims.?email_verified.orValue(true) == true ? claims.email.split('@')[0] : ''" }, 'Jane'],
    [{ expression: 'claims.?preferred_username.orValue(claims.sub)' }, 'jane'],
    [{ expression: "claims.realm.tenants.y + claims['constructor']" }, 'Ytricky'],
    [{ expression: "'%s-%d'.format([claims.sub, claims.level + 1])" }, 'jane-4'],
  ])('%j', (username, name) => {
    expect(mapped({ claimMappings: { username } }).name).toBe(name);
  });

  it.each<[object, string]>([
    [{ claim: 'toString', prefix: '' }, 'oidc: parse username claims "toString": claim not present'],
    [{ claim: 'level', prefix: '' }, 'oidc: parse username claims "level": must be a string'],
    [{ claim: 'nothing', prefix: '' }, 'oidc: parse username claims "nothing": must be a string'],
    [{ claim: 'empty', prefix: 'oidc:' }, 'oidc: parse username claims "empty": empty username is not allowed'],
    [{ expression: 'claims.empty' }, 'oidc: empty username via CEL expression is not allowed'],
    [
      { expression: 'claims.level' },
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
    [
      { expression: 'claims.nickname' },
      "oidc: error evaluating username claim expression: expression 'claims.nickname' resulted in error: no such key: nickname",
    ],
  ])('not %j', (username, problem) => {
    expect(() => mapped({ claimMappings: { username } })).toThrow(problem);
  });
});

describe('groups', () => {
  it.each<[object, string[]]>([
    [{ claim: 'roles', prefix: 'x:' }, ['x:dev', 'x:', 'x:ops']],
    [{ claim: 'sub', prefix: '' }, ['jane']],
    [{ claim: 'nothing', prefix: '' }, []],
    [{ claim: 'absent', prefix: '' }, []],
    [{ claim: 'https://example.com/groups', prefix: '' }, ['far']],
    [{ expression: 'claims.roles' }, ['dev', 'ops']],
    [{ expression: 'claims.sub' }, ['jane']],
    [{ expression: 'claims.empty' }, []],
    [{ expression: 'claims.nothing' }, []],
    [{ expression: '[]' }, []],
    [{ expression: "claims.realm.access.roles.map(r, 'realm:' + r)" }, ['realm:a', 'realm:b']],
    [{ expression: "claims.?groups.orValue([]) + ['everybody']" }, ['everybody']],
    [{ expression: "claims.roles.filter(r, r.matches('^d')).map(r, r.upperAscii())" }, ['DEV']],
    [{ expression: 'claims.realm.tenants.map(t, t)' }, ['x', 'y']],
    [{ expression: "claims['https://example.com/groups']" }, ['far']],
    [{ expression: "claims.admin ? 'admins' : claims.level > 2 ? 'seniors' : ''" }, ['seniors']],
  ])('%j', (groups, expected) => {
    expect(mapped({ claimMappings: { groups } }).groups).toEqual(expected);
  });

  it.each(['claims.level', 'claims.realm', '[claims.level]', 'claims.admin'])('not %s', (expression) => {
    expect(() => mapped({ claimMappings: { groups: { expression } } })).toThrow(
      'oidc: error evaluating group claim expression: expression must return a string or a list of strings',
    );
  });
});

describe('uid and extra', () => {
  it('are mapped', () => {
    const user = mapped({
      claimMappings: {
        uid: { expression: "claims.sub + '-uid'" },
        extra: [
          { key: 'example.com/roles', valueExpression: 'claims.roles' },
          { key: 'example.com/level', valueExpression: 'string(claims.level)' },
          { key: 'example.com/none', valueExpression: "''" },
        ],
      },
    });
    expect(user.uid).toBe('jane-uid');
    expect(user.extra).toEqual({ 'example.com/roles': ['dev', 'ops'], 'example.com/level': ['3'] });
    expect(mapped({ claimMappings: { uid: { claim: 'email' } } }).uid).toBe('Jane@Example.com');
  });

  it('must be texts', () => {
    expect(() => mapped({ claimMappings: { uid: { claim: 'level' } } })).toThrow('oidc: parse uid claim "level"');
    expect(() => mapped({ claimMappings: { uid: { expression: 'claims.level' } } })).toThrow(
      'uid claim expression must',
    );
    const extra = [{ key: 'example.com/x', valueExpression: 'claims.level' }];
    expect(() => mapped({ claimMappings: { extra } })).toThrow('oidc: error evaluating extra claim expression');
  });
});

describe('rules', () => {
  const problem = (jwt: Parameters<typeof configured>[0]): string => {
    try {
      mapped(jwt);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each<[object, string]>([
    [{ claim: 'sub', requiredValue: 'jane' }, 'none'],
    [{ claim: 'sub', requiredValue: 'joe' }, 'oidc: required claim sub value does not match. Got = jane, want = joe'],
    [{ claim: 'hd', requiredValue: 'x' }, 'oidc: required claim hd not present in ID token'],
    [{ claim: 'level', requiredValue: '3' }, 'oidc: parse claim level: must be a string'],
    [{ expression: 'claims.level == 3' }, 'none'],
    [
      { expression: 'claims.level > 3', message: 'too low' },
      "oidc: error evaluating claim validation expression: validation expression 'claims.level > 3' failed: too low",
    ],
    [
      { expression: 'claims.hd == "x"' },
      `oidc: error evaluating claim validation expression: expression 'claims.hd == "x"' resulted in error: no such key: hd`,
    ],
  ])('on claims: %j', (rule, expected) => {
    expect(problem({ claimValidationRules: [rule] })).toBe(expected);
  });

  it.each<[string, string]>([
    ["!user.username.startsWith('system:')", 'none'],
    ["user.groups.all(g, !g.startsWith('system:'))", 'none'],
    ["user.extra['example.com/roles'].exists(r, r == 'dev')", 'none'],
    ["user.uid == ''", 'none'],
    [
      "user.username != 'jane'",
      "oidc: error evaluating user info validation rule: validation expression 'user.username != 'jane'' failed: no",
    ],
    [
      "user.extra['x'] == ['y']",
      "oidc: error evaluating user info validation rule: expression 'user.extra['x'] == ['y']' resulted in error: no such key: x",
    ],
  ])('on users: %s', (expression, expected) => {
    const extra = [{ key: 'example.com/roles', valueExpression: 'claims.roles' }];
    const groups = { claim: 'roles', prefix: '' };
    const userValidationRules = [{ expression, message: 'no' }];
    expect(problem({ claimMappings: { groups, extra }, userValidationRules })).toBe(expected);
  });
});
