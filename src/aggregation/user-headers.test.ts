import { describe, expect, it } from 'vitest';
import { valuesByPrefix } from '../authn/raw-headers.ts';
import { userHeaders } from './user-headers.ts';

describe('the headers of a user', () => {
  it('name all that is known', () => {
    const extra = { scopes: ['a', 'b'], 'example.com/it%em ö': ['x'] };
    expect(userHeaders({ name: 'jane', uid: '7', groups: ['g', 'h'], extra })).toEqual({
      'X-Remote-User': 'jane',
      'X-Remote-Uid': '7',
      'X-Remote-Group': ['g', 'h'],
      'X-Remote-Extra-scopes': ['a', 'b'],
      'X-Remote-Extra-example.com%2Fit%25em%20%C3%B6': ['x'],
    });
  });

  it('are bytes in UTF-8', () => {
    const { 'X-Remote-User': name } = userHeaders({ name: 'jöhn 李', uid: '', groups: [], extra: {} });
    expect(Buffer.from(String(name), 'latin1').toString()).toBe('jöhn 李');
  });

  it('are read by another server as they were meant', () => {
    const [name] = Object.keys(userHeaders({ name: '', uid: '', groups: [], extra: { 'a/b%c d': [] } })).slice(1);
    expect(Object.keys(valuesByPrefix([name!, 'x'], 'x-remote-extra-')!)).toEqual(['a/b%c d']);
  });
});
