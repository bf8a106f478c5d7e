import { formatQuantity, parseQuantity } from '../../meta/quantity.ts';

/** Canonical quantities by resource name. */
export type ResourceList = Record<string, string>;

/** Rounds amounts that are finer than a thousandth away from zero. Nearly all amounts stay unchanged. */
export function roundResources(list: ResourceList | undefined): void {
  for (const name in list) {
    const text = list[name]!;
    if (!mayBeFiner(text)) continue;
    const { unscaled, exponent, format } = parseQuantity(text);
    if (exponent >= -3) continue;
    const divisor = 10n ** BigInt(-3 - exponent);
    const rest = unscaled % divisor;
    const rounded = unscaled / divisor + (rest === 0n ? 0n : unscaled < 0n ? -1n : 1n);
    if (rest !== 0n) list[name] = formatQuantity({ unscaled: rounded, exponent: -3, format });
  }
}

/** Without a decimal point, only the suffixes n and u and negative exponents can denote less than a thousandth. */
function mayBeFiner(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last === 0x6e || last === 0x75 || text.includes('.') || text.includes('-', 1);
}
