import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  negateQuantity,
  parseQuantity,
} from './quantity.ts';

describe('canonical text', () => {
  test.each([
    ['0', '0'],
    ['0m', '0'],
    ['-0', '0'],
    ['+', '0'],
    ['.', '0'],
    ['1', '1'],
    ['+1', '+1'],
    ['-1', '-1'],
    ['007', '007'],
    ['007000', '7k'],
    ['0.5', '500m'],
    ['1.500', '1.500'],
    ['1.000', '1'],
    ['-01m', '-01m'],
    ['02Ki', '02Ki'],
    ['08Ki', '8Ki'],
    ['07Ti', '07Ti'],
    ['0999Ti', '999Ti'],
    ['.5', '500m'],
    ['1.', '1.'],
    ['1.5', '1500m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1234567', '1234567'],
    ['100000', '100k'],
    ['1000k', '1M'],
    ['1G', '1G'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['12e4', '120e3'],
    ['5e0', '5e0'],
    ['1e-3', '1e-3'],
    ['1E', '1E'],
    ['1000E', '1'],
    ['10000000000000000000000', '10'],
    ['1e400', '10e399'],
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['2000Ki', '2000Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.5Gi', '512Mi'],
    ['-1Ki', '-1Ki'],
    ['0.0001Ki', '102400u'],
    ['1.0001Ki', '1024102400u'],
    ['8Ei', '9223372036854775807'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1.1n', '2n'],
    ['-0.1n', '-1n'],
    ['0.0000000001', '1n'],
    ['1e-1000', '1e-9'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%s is %s', (text, expected) => {
    expect(canonicalQuantity(text)).toBe(expected);
    expect(canonicalQuantity(expected)).toBe(expected);
  });

  test.each(['', ' ', 'a', '1 ', '1x', '1.2.3', '1e', '0x10', '--1', '1mm', '1kk', '1ki', '1e+', '1e99999'])(
    '%j is refused',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(/quantit/);
    },
  );

  it('ignores surrounding whitespace', () => {
    expect(canonicalQuantity(' 1000m ')).toBe('1');
  });

  it('reports errors with the messages of Kubernetes', () => {
    expect(() => canonicalQuantity('many')).toThrow(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
    expect(() => canonicalQuantity('1kk')).toThrow("unable to parse quantity's suffix");
  });
});

describe('arithmetic', () => {
  test.each([
    ['1', '1000m', 0],
    ['1', '999m', 1],
    ['1Ki', '1k', 1],
    ['-1', '1', -1],
    ['-2', '-1', -1],
    ['0', '0m', 0],
    ['1e5000', '9', 1],
    ['1n', '1e5000', -1],
  ])('%s compared with %s', (left, right, sign) => {
    expect(Math.sign(compareQuantities(parseQuantity(left), parseQuantity(right)))).toBe(sign);
  });

  test.each([
    ['1', '500m', '1500m'],
    ['1Gi', '1Gi', '2Gi'],
    ['1Gi', '1G', '2073741824'],
    ['0', '1Gi', '1Gi'],
    ['100m', '0', '100m'],
    ['1', '-1', '0'],
  ])('%s + %s = %s', (left, right, sum) => {
    expect(formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)))).toBe(sum);
  });

  it('agrees with integer arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(-(10n ** 20n), 10n ** 20n), (left, right) => {
        const [a, b] = [parseQuantity(`${left}m`), parseQuantity(`${right}m`)];
        expect(Math.sign(compareQuantities(a, b))).toBe(left < right ? -1 : left > right ? 1 : 0);
        const sum = addQuantities(a, b);
        expect(compareQuantities(sum, parseQuantity(`${left + right}m`))).toBe(0);
        expect(compareQuantities(addQuantities(sum, negateQuantity(b)), a)).toBe(0);
      }),
    );
  });
});

it('canonical text is idempotent and keeps the amount', () => {
  // Amounts above a thousand E lose their suffix.
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3', 'E5');
  const number = fc.tuple(fc.constantFrom('', '-'), fc.nat(), fc.constantFrom('', '.', '.5', '.125', '.0001'));
  fc.assert(
    fc.property(number, suffix, ([sign, whole, fraction], unit) => {
      const text = `${sign}${whole}${fraction}${unit}`;
      const canonical = canonicalQuantity(text);
      // A number of bytes that is not a multiple of 1024 loses its binary suffix and is then parsed as decimal.
      const stable = unit.endsWith('i') ? canonicalQuantity(canonical) : canonical;
      expect(canonicalQuantity(stable)).toBe(stable);
      expect(compareQuantities(parseQuantity(text), parseQuantity(canonical))).toBe(0);
    }),
  );
});
