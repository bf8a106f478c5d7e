import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ServiceAccountKeys } from '../../authn/index.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { OpenId } from './openid.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const issuer = 'https://issuer.example.com';
const configuration = '/.well-known/openid-configuration';
const keySet = '/openid/v1/jwks';

function setUp(options: { issuer?: string; jwksUri?: string } = {}) {
  const keys = new ServiceAccountKeys({ signingKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) });
  const openId = new OpenId({ keys, issuer, serverAddress: () => '198.51.100.1:6443', ...options });
  const get = (path: string, method = 'GET') => {
    const exchange = new InMemoryExchange(path, { method });
    return openId.handle(exchange, path) ? exchange.response : undefined;
  };
  return { keys, openId, get, read: (path: string) => JSON.parse(get(path)!.body.toString()) };
}

it('announces the issuer and the URL of the keys', () => {
  const { status, headers, body } = setUp().get(configuration)!;
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' });
  expect(body.toString()).toBe(
    JSON.stringify({
      issuer,
      jwks_uri: 'https://198.51.100.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  );
});

it('publishes the keys without private parts', () => {
  const { get, keys } = setUp();
  const { headers, body } = get(keySet)!;
  expect(headers).toMatchObject({
    'content-type': 'application/jwk-set+json',
    'cache-control': 'public, max-age=3600',
  });
  const [key, ...others] = JSON.parse(body.toString()).keys;
  expect(others).toEqual([]);
  expect(Object.keys(key)).toEqual(['use', 'kty', 'kid', 'alg', 'n', 'e']);
  expect(key).toMatchObject({ use: 'sig', kty: 'RSA', kid: keys.signing.id, alg: 'RS256', e: 'AQAB' });
  expect(createPublicKey({ key, format: 'jwk' }).equals(rsa.publicKey)).toBe(true);
});

it('reflects changed keys', () => {
  const { keys, read } = setUp();
  expect(read(keySet).keys).toHaveLength(1);
  keys.replaceKeyFile('others', ec.publicKey.export({ type: 'spki', format: 'pem' }));
  const [key, own] = read(keySet).keys;
  expect(Object.keys(key)).toEqual(['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']);
  expect(createPublicKey({ key, format: 'jwk' }).equals(ec.publicKey)).toBe(true);
  expect(own.alg).toBe('RS256');
  expect(read(configuration).id_token_signing_alg_values_supported).toEqual(['ES256', 'RS256']);
});

it('announces a configured URL of the keys', () => {
  expect(setUp({ jwksUri: 'https://keys.example.com/set' }).read(configuration).jwks_uri).toBe(
    'https://keys.example.com/set',
  );
  for (const jwksUri of ['http://keys.example.com', 'keys', '']) expect(() => setUp({ jwksUri })).toThrow(RangeError);
});

it('is read-only', () => {
  const { get } = setUp();
  expect(get(keySet, 'HEAD')?.status).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    expect(() => get(keySet, method)).toThrow('the server does not allow this method on the requested resource');
  }
});

it.each(['kubernetes', 'http://issuer.example.com', 'https://issuer.example.com/?a', 'https://issuer.example.com/#a'])(
  'is not there for the issuer %s, which nobody would find',
  (given) => {
    const { get, openId } = setUp({ issuer: given });
    expect(openId.paths).toEqual([]);
    expect([get(configuration), get(keySet)]).toEqual([undefined, undefined]);
  },
);

it('does not handle other paths', () => {
  const { get, openId } = setUp();
  expect(openId.paths).toEqual([configuration, keySet]);
  for (const path of ['/', '/openid/v1', '/openid/v1/jwks/', '/.well-known/']) expect(get(path)).toBeUndefined();
});
