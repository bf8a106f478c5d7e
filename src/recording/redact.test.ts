import { describe, expect, it } from 'vitest';
import { requestInfo } from '../http/request-info.ts';
import { Redaction } from './redact.ts';

const hidden = '<redacted>';
const of = (path: string) => new Redaction(requestInfo('GET', path, '').target);
const secretPath = '/api/v1/namespaces/n/secrets';

describe('what is not recorded', () => {
  it.each<[string, string, unknown, unknown]>([
    [
      'the data of a Secret',
      secretPath,
      { kind: 'Secret', data: { a: 'eA==' } },
      { kind: 'Secret', data: { a: hidden } },
    ],
    ['its plain data', secretPath, { stringData: { a: 'x' } }, { stringData: { a: hidden } }],
    [
      'a patch of a Secret',
      secretPath,
      [{ op: 'add', path: '/data/a', value: 'eA==' }],
      [{ op: 'add', path: '/data/a', value: hidden }],
    ],
    [
      'a Secret elsewhere',
      '/apis/x/v1/y',
      { kind: 'Secret', data: { a: 'eA==' } },
      { kind: 'Secret', data: { a: hidden } },
    ],
    [
      'a token',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { kind: 'TokenReview', spec: { token: 't' } },
      { kind: 'TokenReview', spec: { token: hidden } },
    ],
    [
      'a private key',
      '/api/v1/namespaces/n/configmaps',
      { data: { k: 'x\n-----BEGIN PRIVATE KEY-----\n' } },
      { data: { k: hidden } },
    ],
    [
      'a kubeconfig',
      '/api/v1/namespaces/n/configmaps',
      { data: { k: 'users:\n- user:\n    client-key-data: eA==' } },
      { data: { k: hidden } },
    ],
    [
      'a JSON Web Token',
      '/api/v1/namespaces/n/configmaps',
      { data: { k: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.' } },
      { data: { k: hidden } },
    ],
    [
      'nothing else',
      '/api/v1/namespaces/n/configmaps',
      { data: { k: 'plain', n: null } },
      { data: { k: 'plain', n: null } },
    ],
  ])('%s', (_, path, body, expected) => {
    expect(of(path).request(body)).toEqual(expected);
  });

  it('the same in responses, lists, events and errors', () => {
    const redaction = of(secretPath);
    redaction.request({ data: { a: 'c2VjcmV0' } });
    expect(redaction.response({ kind: 'SecretList', items: [{ data: { a: 'eA==' } }] })).toEqual({
      kind: 'SecretList',
      items: [{ data: { a: hidden } }],
    });
    expect(redaction.event({ object: { data: { a: 'eA==' } } })).toEqual({ object: { data: { a: hidden } } });
    expect(redaction.response({ kind: 'Status', message: 'not valid: c2VjcmV0' })).toEqual({
      kind: 'Status',
      message: `not valid: ${hidden}`,
    });
  });

  it('credentials in headers and queries', () => {
    const headers: Record<string, string> = {
      authorization: 'Bearer t',
      cookie: 'c',
      accept: 'a',
      'x-remote-user': 'u',
    };
    expect(of('/api').headers((name) => headers[name])).toEqual({ accept: 'a' });
    expect(of('/api').path('/api', 'access_token=t&limit=1')).toBe(`/api?access_token=${hidden}&limit=1`);
  });
});
