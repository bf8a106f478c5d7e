import { compareQuantities, parseQuantity } from '../meta/quantity.ts';

/**
 * The canonical form of an amount of at least 10^21 loses its suffix, because Kubernetes has none above E: 10^22 becomes
 * `10`. As in kube-apiserver, rules use the amounts of the request, so its lists of resources keep those amounts. Like
 * the notes about empty lists, the property is neither encoded nor enumerated with the entries, and copies of a list
 * have it.
 */
const exactAmounts = Symbol('amounts that the canonical form does not state');

interface Marked {
  [exactAmounts]?: Readonly<Record<string, { readonly exact: string; readonly canonical: string }>>;
}

type Amounts = Readonly<Record<string, unknown>>;

/** Whether the canonical form of a quantity has the amount that was given. */
export function isExactQuantity(canonical: string, given: unknown): boolean {
  if (given === canonical) return true;
  return compareQuantities(parseQuantity(String(given).trim()), parseQuantity(canonical)) === 0;
}

/** Records the amounts of a list as the request has them, if they differ from the canonical ones. */
export function recordExactQuantities(source: Amounts, list: Amounts): void {
  for (const name in list) {
    const canonical = list[name] as string;
    if (source[name] === null || isExactQuantity(canonical, source[name])) continue;
    const exact = String(source[name]).trim();
    (list as Marked)[exactAmounts] = { ...(list as Marked)[exactAmounts], [name]: { exact, canonical } };
  }
}

/** Returns an amount as the request has it. It is not canonical, so it must not be shown. */
export function exactQuantity(list: Readonly<Record<string, string>>, name: string): string {
  const known = (list as Marked)[exactAmounts]?.[name];
  return known !== undefined && known.canonical === list[name] ? known.exact : list[name]!;
}

/** To be called when an entry is copied to another list. */
export function copyExactQuantity(from: object, to: object, name: string): void {
  const known = (from as Marked)[exactAmounts]?.[name];
  if (known !== undefined) (to as Marked)[exactAmounts] = { ...(to as Marked)[exactAmounts], [name]: known };
}
