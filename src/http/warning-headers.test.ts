import { describe, expect, it } from 'vitest';
import { warningHeaders } from './warning-headers.ts';

describe('warningHeaders', () => {
  it('quotes each text once', () => {
    expect(warningHeaders(['unknown field "a"', 'back\\slash', 'unknown field "a"', ''])).toEqual([
      '299 - "unknown field \\"a\\""',
      '299 - "back\\\\slash"',
    ]);
  });

  it('leaves out what cannot stand in a header', () => {
    expect(warningHeaders(['a\r\nset-cookie: b', 'a\0b', 'fine'])).toEqual(['299 - "fine"']);
  });

  it('writes other alphabets as bytes', () => {
    const [value = ''] = warningHeaders(['цвет 🚢']);
    expect(value).toMatch(/^[\x20-\xff]+$/);
    expect(Buffer.from(value, 'latin1').toString()).toBe('299 - "цвет 🚢"');
  });

  it('cuts long texts when they are too many', () => {
    const texts = Array.from({ length: 30 }, (_, index) => `${index} ${'🚢'.repeat(400)}`);
    const values = warningHeaders(texts).map((value) => Buffer.from(value, 'latin1').toString());
    expect(values).toHaveLength(16);
    for (const value of values) expect(Array.from(value)).toHaveLength(256 + '299 - ""'.length);
  });

  it('keeps a long text whole as long as there is room', () => {
    expect(warningHeaders(['x'.repeat(4096)])).toEqual([`299 - "${'x'.repeat(4096)}"`]);
    expect(warningHeaders(['x'.repeat(4097)])).toEqual([`299 - "${'x'.repeat(256)}"`]);
  });
});
