import { isIPv6 } from 'node:net';
import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { isBase64 } from '../../meta/is-base64.ts';
import { dnsLabelErrors, isDnsSubdomain } from '../../meta/names.ts';
import { isEmailAddress, isRequestUri } from './address-formats.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './checksum-formats.ts';

type FormatCheck = (text: string) => boolean;

const matches =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

/** The formats that are checked, without dashes, which a comparison ignores. */
const checks: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  byte: isBase64,
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmailAddress,
  hexcolor: matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isIp(text),
  ipv6: (text) => text.includes(':') && isIp(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: isDnsSubdomain,
  k8sshortname: (text) => dnsLabelErrors(text).length === 0,
  mac: isMac,
  password: () => true,
  rgbcolor: isRgbColor,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isRequestUri,
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
};

/** Formats of numbers, which their type checks. */
const numberFormats: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** Whether the server supports a format. Others are ignored. */
export function isKnownFormat(format: string): boolean {
  const name = format.replaceAll('-', '');
  return numberFormats.has(name) || Object.hasOwn(checks, name);
}

/** Returns the check of the format of a string, if it has one. */
export function formatCheck(format: string): FormatCheck | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  return match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59';
}

const longUnits = /^(?:ns|us|µs|ms|s|m|h|hr|d|w|wk|nano.*|micro.*|milli.*|sec.*|min.*|hour.*|day.*|week.*)$/;

/** A duration of Go, or numbers with units such as `3 days`. */
function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  for (const [, unit = ''] of text.matchAll(/(?<!\d)\d+[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (longUnits.test(unit.toLowerCase())) return true;
  }
  return false;
}

const letter = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const label = String.raw`${letter}(?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}${letter})?`;
const hostname = new RegExp(String.raw`^(?:${letter}(?:-?${letter}{0,62})?|(?:${label}\.)+[a-zA-Z\p{L}]{2,63})$`, 'u');

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || !hostname.test(text)) return false;
  return text.split('.').every((domainLabel) => Buffer.byteLength(domainLabel) <= 63);
}

/** Leading zeros are allowed, zones are not. */
function isIp(text: string): boolean {
  if (text.length > 100) return false;
  if (!text.includes(':')) return isIpv4(text);
  if (text.includes('%')) return false;
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  if (!tail.includes('.')) return isIPv6(text);
  return isIpv4(tail) && isIPv6(`${text.slice(0, lastColon)}:1.2.3.4`);
}

function isIpv4(text: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(text) && text.split('.').every((octet) => Number(octet) <= 255);
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  return isIp(address) && /^\d{1,9}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32);
}

function isMac(text: string): boolean {
  if (!/^[0-9a-fA-F.:-]{14,59}$/.test(text)) return false;
  const bytes = [6, 8, 20];
  if (/^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text)) return bytes.includes(text.split('.').length * 2);
  const separator = text[2] === '-' ? '-' : ':';
  const octets = text.split(separator);
  return bytes.includes(octets.length) && octets.every((octet) => /^[0-9a-fA-F]{2}$/.test(octet));
}

const channel = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const rgbColor = new RegExp(`^rgb\\(\\s*${channel}\\s*,\\s*${channel}\\s*,\\s*${channel}\\s*\\)$`);

function isRgbColor(text: string): boolean {
  return text.length <= 100 && rgbColor.test(text);
}
