import { describe, expect, it } from 'vitest';
import { fixedText, scientificText } from './decimal-texts.ts';

describe('fixedText', () => {
  it.each([
    [2.5, 0, '2'],
    [3.5, 0, '4'],
    [0.25, 1, '0.2'],
    [0.35, 1, '0.3'],
    [1.2345, 3, '1.234'],
    [1.005, 2, '1.00'],
    [6.0221, 6, '6.022100'],
    [1234567.891, 2, '1,234,567.89'],
    [999.5, 0, '1,000'],
    [-1234.5, 1, '-1,234.5'],
    [-0, 1, '0.0'],
    [-0.4, 0, '-0'],
    [1e21, 0, '1,000,000,000,000,000,000,000'],
    [5e-324, 3, '0.000'],
    [0.5, 300, `0.5${'0'.repeat(43)}`],
    [1e-300, 300, `0.${'0'.repeat(299)}1`],
    [Number.POSITIVE_INFINITY, 2, '∞'],
    [Number.NEGATIVE_INFINITY, 2, '-∞'],
    [Number.NaN, 2, 'NaN'],
  ])('%d with %d decimals', (value, precision, expected) => {
    expect(fixedText(value, precision)).toBe(expected);
  });
});

describe('scientificText', () => {
  it.each([
    [6.0221, 6, '6.022100×10⁰⁰'],
    [1052.032911275, 6, '1.052033×10⁰³'],
    [0, 6, '0.000000×10⁰⁰'],
    [-1e-9, 6, '-1.000000×10⁻⁰⁹'],
    [9.9999999e22, 6, '1.000000×10²³'],
    [1e23, 6, '1.000000×10²³'],
    [1.7976931348623157e308, 6, '1.797693×10³⁰⁸'],
    [5e-324, 6, '4.940656×10⁻³²⁴'],
    [1.5, 15, '  1.500000×10⁰⁰'],
    [Number.POSITIVE_INFINITY, 6, '     ∞'],
    [Number.NEGATIVE_INFINITY, 6, '    -∞'],
    [Number.NaN, 6, '   NaN'],
  ])('%d in %d characters', (value, width, expected) => {
    expect(scientificText(value, width)).toBe(expected);
  });
});
