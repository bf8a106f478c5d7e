import { describe, expect, it } from 'vitest';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const v = 'meta.k8s.io/v1';

describe('a continue token', () => {
  it.each([
    { revision: 7, after: 'name' },
    { revision: -1, after: 'namespace/name' },
    { revision: 2n ** 53n + 1n, after: 'beyond exact numbers' },
    { revision: 2 ** 53 - 1, after: 'ünïcode 🚢' },
  ])('comes back as it was: %o', (position) => {
    const token = encodeContinue(position);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeContinue(token)).toEqual(position);
  });

  it('is that of kube-apiserver with a checksum', () => {
    const text = Buffer.from(encodeContinue({ revision: 7, after: 'a/b' }), 'base64url').toString();
    expect(text).toMatch(/^\{"v":"meta.k8s.io\/v1","rv":7,"start":"a\/b\\u0000","sum":\d+\}$/);
  });

  it('is refused when any of its characters has been changed', () => {
    const position = { revision: 120, after: 'shop/catalog' };
    const token = encodeContinue(position);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let index = 0; index < token.length; index++) {
      for (const character of alphabet) {
        const changed = token.slice(0, index) + character + token.slice(index + 1);
        // Some bits of the last character are unused.
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(token, 'base64url'))) continue;
        expect(() => decodeContinue(changed), changed).toThrow(/invalid continue token/);
      }
    }
  });

  it('is refused when its parts have been changed', () => {
    const token = JSON.parse(Buffer.from(encodeContinue({ revision: 7, after: 'a' }), 'base64url').toString());
    expect(decodeContinue(encoded(token))).toEqual({ revision: 7, after: 'a' });
    for (const change of [{ rv: 8 }, { rv: -1 }, { start: 'b\0' }, { sum: 1 }, { sum: undefined, Sum: 1 }]) {
      expect(() => decodeContinue(encoded({ ...token, ...change })), JSON.stringify(change)).toThrow(
        /has been changed/,
      );
    }
  });

  it('has no checksum if another server issued it', () => {
    expect(decodeContinue(encoded({ v, rv: 7, start: '/a\0' }))).toEqual({ revision: 7, after: 'a' });
  });

  it.each([
    ['YQ!', 'illegal base64 data at input byte 2'],
    [encoded('hello'), "invalid character 'h' looking for beginning of value"],
    [encoded('{'), ''],
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
