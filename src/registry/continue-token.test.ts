import { describe, expect, it } from 'vitest';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const v = 'meta.k8s.io/v1';

describe('a continue token', () => {
  it.each([
    { revision: 7, after: 'name' },
    { revision: -1, after: 'namespace/name' },
    { revision: 2 ** 53 - 1, after: 'ünïcode 🚢' },
  ])('comes back as it was: %j', (position) => {
    const token = encodeContinue(position);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeContinue(token)).toEqual(position);
  });

  it('is written as kube-apiserver writes it', () => {
    expect(Buffer.from(encodeContinue({ revision: 7, after: 'a/b' }), 'base64url').toString()).toBe(
      '{"v":"meta.k8s.io/v1","rv":7,"start":"a/b\\u0000"}',
    );
  });

  it('may have a slash before its key', () => {
    expect(decodeContinue(encoded({ v, rv: 7, start: '/a\0' }))).toEqual({ revision: 7, after: 'a' });
  });

  it.each([
    ['!', 'illegal base64 data'],
    [encoded('x'), ''],
    [encoded('7'), 'not an object'],
    [encoded('null'), 'not an object'],
    [encoded({}), 'server does not recognize this encoded version '],
    [encoded({ v: 'v9' }), 'server does not recognize this encoded version v9'],
    [encoded({ v, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 0, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 1.5, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded({ v, rv: '7', start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 7 }), 'encoded start key empty (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 7, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 7, start: 7 }), 'encoded start key empty (version meta.k8s.io/v1)'],
    [encoded({ v, rv: 7, start: '../a' }), '../a'],
    [encoded({ v, rv: 7, start: 'a/../b' }), 'a/../b'],
  ])('is refused when it makes no sense: %s', (token, cause) => {
    const text = `invalid continue token: continue key is not valid: ${cause}`;
    expect(() => decodeContinue(token)).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({ code: 400, message: expect.stringContaining(text) }),
      }),
    );
  });
});
