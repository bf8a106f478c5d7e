import { goQuote } from '../../../meta/go-quote.ts';
import { isWholeQuantity } from '../../validation/quantities.ts';
import type { ResourceList } from './pod-shapes.ts';

export type Warn = (field: string, text: string) => void;

/** Warns about fractional numbers of bytes. */
export function byteWarnings(list: ResourceList | undefined, field: string, warn: Warn): void {
  for (const name of ['memory', 'ephemeral-storage']) {
    const amount = list?.[name];
    if (amount === undefined || isWholeQuantity(amount)) continue;
    warn(`${field}[${name}]`, `fractional byte value ${goQuote(amount)} is invalid, must be an integer`);
  }
}
