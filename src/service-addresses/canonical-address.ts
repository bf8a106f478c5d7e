import { ipText, parseIp } from '../resources/validation/addresses.ts';

/** The text by which an address is known. Returns what is no address as it is. */
export function canonicalAddress(text: string): string {
  const address = parseIp(text);
  return address === undefined ? text : ipText(address);
}
