import { describe, expect, it } from 'vitest';
import { nextPemBlock } from './pem.ts';

describe('nextPemBlock', () => {
  it.each([
    ['one line', '-----BEGIN A-----\nAQID\n-----END A-----\n'],
    ['text before it', 'a note\n-----BEGIN A-----\nAQID\n-----END A-----'],
    ['broken lines', '-----BEGIN A-----\r\nAQ\r\nID\r\n-----END A-----\r\n'],
    ['a block before it that never ends', '-----BEGIN B-----\n-----BEGIN A-----\nAQID\n-----END A-----\n'],
    [
      'a block before it that is no base64',
      '-----BEGIN B-----\n***\n-----END B-----\n-----BEGIN A-----\nAQID\n-----END A-----\n',
    ],
  ])('finds a block with %s', (_what, text) => {
    expect(nextPemBlock(text)).toMatchObject({ type: 'A', hasHeaders: false, bytes: Buffer.from([1, 2, 3]) });
  });

  it('reports headers', () => {
    const text = '-----BEGIN A-----\nProc-Type: 4\n\nAQID\n-----END A-----\n';
    expect(nextPemBlock(text)).toMatchObject({ hasHeaders: true, bytes: Buffer.from([1, 2, 3]) });
  });

  it('finds the block after another one', () => {
    const text = '-----BEGIN A-----\nAQID\n-----END A-----\n-----BEGIN B-----\nAQID\n-----END B-----\n';
    const second = nextPemBlock(text, nextPemBlock(text)!.end);
    expect(second?.type).toBe('B');
    expect(nextPemBlock(text, second!.end)).toBeUndefined();
  });

  it.each(['', 'x', '-----BEGIN A-----\nAQID\n-----END B-----\n', 'x-----BEGIN A-----\nAQID\n-----END A-----\n'])(
    'finds nothing in %j',
    (text) => {
      expect(nextPemBlock(text)).toBeUndefined();
    },
  );
});
