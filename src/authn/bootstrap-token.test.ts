import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { BootstrapTokenAuthenticator } from './bootstrap-token.ts';
import type { TokenUser } from './token-authenticator.ts';

const now = Date.parse('2030-01-01T12:00:00Z');
const token = 'abcdef.0123456789abcdef';
const valid = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

function secret(data: Record<string, string | undefined> = {}, more: Partial<ResourceObject> = {}): ResourceObject {
  const encoded = Object.entries({ ...valid, ...data }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
  );
  return {
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
    ...more,
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system', ...more.metadata },
  };
}

class Secrets implements ObjectReader {
  object: ResourceObject | undefined;

  constructor(object: ResourceObject | undefined) {
    this.object = object;
  }

  get(type: { resource: string }, item: { namespace: string; name: string }): ResourceObject | undefined {
    const isTokenSecret = type.resource === 'secrets' && item.namespace === 'kube-system';
    return isTokenSecret && item.name === this.object?.metadata.name ? this.object : undefined;
  }

  list(): ResourceObject[] {
    return [];
  }
}

function found(objects: ObjectReader, bearer = token): TokenUser | undefined {
  const authenticator = new BootstrapTokenAuthenticator({ objects, now: () => now });
  return authenticator.authenticateToken(bearer) as TokenUser | undefined;
}

describe('BootstrapTokenAuthenticator', () => {
  it('derives the user from the token id and adds the groups', () => {
    const user = { name: 'system:bootstrap:abcdef', uid: '', extra: {} };
    expect(found(new Secrets(secret()))?.user).toEqual({ ...user, groups: ['system:bootstrappers'] });
    const extra = 'system:bootstrappers:workers,system:bootstrappers:a:b,system:bootstrappers:workers';
    expect(found(new Secrets(secret({ 'auth-extra-groups': extra })))?.user).toEqual({
      ...user,
      groups: ['system:bootstrappers', 'system:bootstrappers:a:b', 'system:bootstrappers:workers'],
    });
  });

  it.each<[name: string, object: ResourceObject | undefined, bearer?: string]>([
    ['no Secret', undefined],
    ['a Secret on its way out', secret({}, { metadata: { deletionTimestamp: '2030-01-01T11:59:59Z' } })],
    ['another type', secret({}, { type: 'Opaque' })],
    ['no data', secret({}, { data: undefined })],
    ['another id', secret({ 'token-id': 'abcdeg' })],
    ['another secret', secret({ 'token-secret': '0123456789abcdee' })],
    ['no secret', secret({ 'token-secret': undefined })],
    ['no use', secret({ 'usage-bootstrap-authentication': undefined })],
    ['another use', secret({ 'usage-bootstrap-authentication': 'True' })],
    ['its time over', secret({ expiration: '2030-01-01T12:00:00Z' })],
    ['a time that is none', secret({ expiration: 'tomorrow' })],
    ['a group of others', secret({ 'auth-extra-groups': 'system:masters' })],
    ['a group among good ones', secret({ 'auth-extra-groups': 'system:bootstrappers:a,system:bootstrappers:' })],
    ['a space between groups', secret({ 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' })],
    ['upper case', secret(), 'ABCDEF.0123456789abcdef'],
    ['a longer token', secret(), `${token}0`],
    ['a line behind', secret(), `${token}\n`],
    ['no dot', secret(), 'abcdef-0123456789abcdef'],
  ])('does not know a token with %s', (_name, object, bearer) => {
    expect(found(new Secrets(object), bearer)).toBeUndefined();
  });

  it('is valid until it expires or the Secret changes', () => {
    const secrets = new Secrets(secret({ expiration: '2030-01-01T13:00:00+01:00' }));
    expect(found(secrets)).toBeUndefined();
    secrets.object = secret({ expiration: '2030-01-01T12:00:05Z' });
    const tokenUser = found(secrets)!;
    expect(tokenUser.expiresAt).toBe(now + 5_000);
    expect(tokenUser.isStillValid?.()).toBe(true);
    secrets.object = secret({ expiration: '2030-01-01T12:00:05Z' });
    expect(tokenUser.isStillValid?.()).toBe(false);
  });

  it('waits for objects that are read asynchronously', async () => {
    const secrets = new Secrets(secret());
    const slow: ObjectReader = { get: async (type, item) => secrets.get(type, item), list: () => [] };
    const authenticator = new BootstrapTokenAuthenticator({ objects: slow, now: () => now });
    expect((await authenticator.authenticateToken(token))?.user.name).toBe('system:bootstrap:abcdef');
  });
});
