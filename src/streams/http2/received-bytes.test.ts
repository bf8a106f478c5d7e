import { describe, expect, it } from 'vitest';
import { ReceivedBytes } from './received-bytes.ts';

/** A piece of a larger buffer. */
const piece = (text: string): Buffer =>
  Buffer.from(`....${text}${'.'.repeat(text.length + 8)}`).subarray(4, 4 + text.length);

describe('received bytes', () => {
  it('come out as they went in', () => {
    const bytes = new ReceivedBytes();
    const expected: string[] = [];
    for (let round = 0; round < 3000; round++) {
      const text = String.fromCharCode(97 + (round % 26)).repeat(round % 70);
      expected.push(text);
      bytes.push(round % 5 === 0 ? Buffer.from(text) : piece(text));
    }
    expect(bytes.length).toBe(expected.join('').length);
    expect(bytes.takeAll().toString()).toBe(expected.join(''));
    expect(bytes.length).toBe(0);
    expect(bytes.takeAll()).toHaveLength(0);
  });

  it('do not change in the hands of a reader', () => {
    const bytes = new ReceivedBytes();
    bytes.push(piece('first'));
    const taken = bytes.shift()!;
    bytes.push(piece('other'));
    expect(taken.toString()).toBe('first');
    expect(bytes.shift()!.toString()).toBe('other');
    expect(bytes.shift()).toBeUndefined();
  });

  it('keep no buffer of which they are a small part', () => {
    const bytes = new ReceivedBytes();
    const large = Buffer.allocUnsafeSlow(64 * 1024);
    for (let at = 0; at < 10_000; at++) bytes.push(large.subarray(at, at + 1));
    let memory = 0;
    for (let chunk = bytes.shift(); chunk !== undefined; chunk = bytes.shift()) {
      expect(chunk.buffer).not.toBe(large.buffer);
      memory += chunk.buffer.byteLength;
    }
    expect(memory).toBeLessThan(40_000);
  });

  it('are not copied when they are most of their buffer', () => {
    const bytes = new ReceivedBytes();
    const large = Buffer.allocUnsafeSlow(16 * 1024);
    bytes.push(large.subarray(9));
    expect(bytes.takeAll().buffer).toBe(large.buffer);
  });
});
