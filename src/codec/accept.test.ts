import { describe, expect, test } from 'vitest';
import { parseAccept, parseAcceptLiterally } from './accept.ts';

const ranges = (header: string): string[] => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);

describe('parseAccept', () => {
  test.each([
    { header: 'application/json', order: ['application/json'] },
    { header: ' application/json ,', order: ['application/json'] },
    { header: 'a/x;q=0.8,b/y;q=0.9', order: ['b/y', 'a/x'] },
    { header: 'a/x,b/y', order: ['a/x', 'b/y'] },
    { header: '*/*,a/*,a/x', order: ['a/x', 'a/*', '*/*'] },
    { header: '*/*;q=0.9,a/x;q=0.8', order: ['*/*', 'a/x'] },
    { header: 'A/X;Q=0.1,b/Y', order: ['b/y', 'a/x'] },
    { header: 'a/x;q=0,b/y;q=-1,c/z;q=0.1', order: ['c/z', 'b/y', 'a/x'] },
    { header: 'a/x;q=0,b/y;q=0.1', order: ['b/y', 'a/x'] },
    { header: 'a/x;q=nonsense,b/y;q=0.1', order: ['b/y', 'a/x'] },
    { header: '*', order: ['*/*'] },
    { header: 'json,a/b/c,a/x', order: ['a/x'] },
    { header: '', order: [] },
  ])('orders $header', ({ header, order }) => {
    expect(ranges(header)).toEqual(order);
  });

  test('keeps parameters other than q and drops malformed ones', () => {
    const [clause] = parseAccept('application/json; as=Table ;v=v1;g=meta.k8s.io;q=0.5;lonely;a=b=c;empty=');
    expect(Object.fromEntries(clause!.parameters)).toEqual({ as: 'Table', v: 'v1', g: 'meta.k8s.io' });
    expect(clause!.quality).toBe(0.5);
  });
});

describe('parseAcceptLiterally', () => {
  test.each([
    { header: '*/*;q=0.5,a/x;q=0.4', order: ['a/x', '*/*'] },
    { header: 'a/x;q=0.4,*/*;q=0.5', order: ['*/*', 'a/x'] },
    { header: 'a/x;q=0,b/y', order: ['b/y', 'a/x'] },
    { header: 'a/x;q=nonsense,b/y;q=0.1', order: ['b/y', 'a/x'] },
    { header: 'A/X;Q=0.1,b/Y', order: ['A/X', 'b/Y'] },
    { header: '*/json,*', order: ['*/*'] },
    { header: Array(13).fill('*/*;q=0.5').concat('a/x;q=0.4').join(), order: [...Array(13).fill('*/*'), 'a/x'] },
  ])('orders $header', ({ header, order }) => {
    expect(parseAcceptLiterally(header).map(({ type, subtype }) => `${type}/${subtype}`)).toEqual(order);
  });
});
