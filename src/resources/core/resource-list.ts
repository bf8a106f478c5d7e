import { formatQuantity, parseQuantity } from '../../meta/quantity.ts';

/** Canonical quantities by resource name. */
export type ResourceList = Record<string, string>;

/** Rounds amounts that are finer than a thousandth away from zero. */
export function roundResources(resources: ResourceList | undefined): void {
  for (const name in resources) {
    const amount = resources[name]!;
    if (isFiner(amount)) resources[name] = roundedToMilli(amount);
  }
}

function isFiner(amount: string): boolean {
  const last = amount.charCodeAt(amount.length - 1);
  return last === 0x6e || last === 0x75 || amount.includes('e-');
}

function roundedToMilli(amount: string): string {
  const quantity = parseQuantity(amount);
  const { unscaled, exponent } = quantity;
  if (exponent >= -3) return amount;
  const divisor = 10n ** BigInt(-3 - exponent);
  const rest = unscaled % divisor;
  const away = rest === 0n ? 0n : rest > 0n ? 1n : -1n;
  return formatQuantity({ ...quantity, unscaled: unscaled / divisor + away, exponent: -3 });
}
