import { canonicalDuration } from '../../meta/duration.ts';
import { canonicalQuantity } from '../../meta/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import type { ScalarKind } from '../model.ts';
import { sortedValue } from '../structural/sorted-value.ts';
import { canonicalBase64 } from './base64.ts';
import type { Pass } from './pass.ts';
import { jsonTypeOf, TypeMismatch } from './type-mismatch.ts';

type ScalarNormalizer = (value: unknown, pass?: Pass) => unknown;

/** One function per kind, shared by all fields, so that each stays monomorphic. */
export const scalarNormalizers: Readonly<Record<ScalarKind, ScalarNormalizer>> = {
  string: text,
  bool,
  int32,
  int64,
  uint32,
  float64,
  bytes: (value) => canonicalBase64(typeof value === 'string' ? value : mismatch(value, '[]uint8')),
  time: (value) => canonicalTime(text(value)),
  microTime: (value) => canonicalMicroTime(text(value)),
  duration: (value) => canonicalDuration(text(value)),
  quantity,
  intOrString: (value) => (typeof value === 'string' ? value : int32(value)),
  rawExtension: anyValue,
  fieldsV1: asItIs,
  json: anyValue,
};

/** The zero values of the Go types. */
export const scalarZeros: Readonly<Record<ScalarKind, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  float64: 0,
  bytes: null,
  time: null,
  microTime: null,
  duration: '0s',
  quantity: '0',
  intOrString: 0,
  rawExtension: null,
  fieldsV1: null,
  json: null,
};

const int64Bound = 2n ** 63n;

function mismatch(value: unknown, goType: string): never {
  throw new TypeMismatch(jsonTypeOf(value), goType);
}

/** For numbers, the message includes the number that does not fit. */
function numberMismatch(value: unknown, goType: string): never {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  throw new TypeMismatch(isNumber ? `number ${value}` : jsonTypeOf(value), goType);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : mismatch(value, 'string');
}

function bool(value: unknown): boolean {
  return typeof value === 'boolean' ? value : mismatch(value, 'bool');
}

function int32(value: unknown): number {
  // `| 0` also normalizes negative zero, which JSON can express, to zero.
  if (typeof value === 'number' && (value | 0) === value) return value | 0;
  return numberMismatch(value, 'int32');
}

function uint32(value: unknown): number {
  if (typeof value === 'number' && value >>> 0 === value) return value >>> 0;
  return numberMismatch(value, 'uint32');
}

/**
 * Returns a bigint when a number cannot represent the integer safely. The input can still be such a number, if it
 * prints as it was written.
 */
function int64(value: unknown): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  const exact = isLongInteger(value) ? BigInt(String(value)) : value;
  if (typeof exact === 'bigint' && exact >= -int64Bound && exact < int64Bound) return exact;
  return numberMismatch(value, 'int64');
}

/** Larger numbers print with an exponent. */
function isLongInteger(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21;
}

function float64(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : mismatch(value, 'float64');
}

function quantity(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalQuantity(value);
    case 'number':
    case 'bigint':
      return canonicalQuantity(String(value));
    default:
      // No other JSON type is a quantity. Go reports the same error as for the empty string.
      return canonicalQuantity('');
  }
}

function anyValue(value: unknown, pass?: Pass): unknown {
  return pass?.sortsKeys === true ? sortedValue(value) : value;
}

function asItIs(value: unknown): unknown {
  return value;
}
