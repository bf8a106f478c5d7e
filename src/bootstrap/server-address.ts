import { isIP } from 'node:net';
import { addressFamily } from '../meta/address-family.ts';

/** The address under which other machines reach a server. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** `192.0.2.1:6443` or `[2001:db8::1]:6443`. */
export function serverAddressText({ ip, port }: ServerAddress): string {
  return addressFamily(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Parses the result of `serverAddressText`. Undefined for any other text. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const match = /^\[?([0-9a-fA-F.:]+?)\]?:(\d{1,5})$/.exec(text);
  const [ip = '', port = ''] = match?.slice(1) ?? [];
  return isIP(ip) === 0 ? undefined : { ip, port: Number(port) };
}
