import { expect, it } from 'vitest';
import { noneConverter } from './converter.ts';

it('changes nothing but the version with strategy None, synchronously', () => {
  const old = { apiVersion: 'ex.io/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
  const current = { ...old, apiVersion: 'ex.io/v2' };
  const converted = noneConverter.convert([old, current], 'ex.io/v2');
  expect(converted).toEqual([current, current]);
  expect(Object.keys((converted as object[])[0]!)).toEqual(Object.keys(old));
  expect((converted as object[])[1]).toBe(current);
  expect(old.apiVersion).toBe('ex.io/v1');
});
