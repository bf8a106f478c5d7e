import { describe, expect, it } from 'vitest';
import { WarningHeaders } from './warning-headers.ts';

function warningHeaders(texts: readonly string[]): string[] {
  const headers = new WarningHeaders();
  for (const text of texts) headers.add(text);
  return headers.values;
}

describe('WarningHeaders', () => {
  it('quotes each text once', () => {
    expect(warningHeaders(['unknown field "a"', 'back\\slash', 'unknown field "a"', ''])).toEqual([
      '299 - "unknown field \\"a\\""',
      '299 - "back\\\\slash"',
    ]);
  });

  it('drops texts that are invalid in a header', () => {
    expect(warningHeaders(['a\r\nset-cookie: b', 'a\0b', 'fine'])).toEqual(['299 - "fine"']);
  });

  it('encodes other alphabets as UTF-8', () => {
    const [value = ''] = warningHeaders(['цвет 🚢']);
    expect(value).toMatch(/^[\x20-\xff]+$/);
    expect(Buffer.from(value, 'latin1').toString()).toBe('299 - "цвет 🚢"');
  });

  it('truncates long texts when the total is too large', () => {
    const texts = Array.from({ length: 30 }, (_, index) => `${index} ${'🚢'.repeat(400)}`);
    const values = warningHeaders(texts).map((value) => Buffer.from(value, 'latin1').toString());
    expect(values.pop()).toBe('299 - "14 more warnings are not shown"');
    expect(values).toHaveLength(16);
    for (const value of values) expect(Array.from(value)).toHaveLength(256 + '299 - ""'.length);
  });

  it('counts dropped texts, each once', () => {
    const texts = Array.from({ length: 17 }, (_, index) => `${index} ${'x'.repeat(400)}`);
    expect(warningHeaders([...texts, ...texts]).at(-1)).toBe('299 - "1 more warning is not shown"');
    expect(warningHeaders(texts.slice(0, 16)).at(-1)).toMatch('15 xxx');
  });

  it('takes any number of them', () => {
    // If each text were compared with all earlier ones, this would take too long.
    const values = warningHeaders(Array.from({ length: 50_000 }, (_, index) => `line ${index}: key "a"`));
    const [, count] = /^299 - "(\d+) more warnings are not shown"$/.exec(values.at(-1)!)!;
    expect(Number(count) + values.length - 1).toBe(50_000);
    expect(values.length).toBeLessThan(1_000);
  });

  it('keeps a long text whole as long as there is room', () => {
    expect(warningHeaders(['x'.repeat(4096)])).toEqual([`299 - "${'x'.repeat(4096)}"`]);
    expect(warningHeaders(['x'.repeat(4097)])).toEqual([`299 - "${'x'.repeat(256)}"`]);
  });
});
