import { ipText, parseIp } from '../resources/validation/addresses.ts';

/** The canonical text of an address. Returns any other text unchanged. */
export function canonicalAddress(text: string): string {
  const address = parseIp(text);
  return address === undefined ? text : ipText(address);
}
