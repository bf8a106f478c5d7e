import { DecodeError } from '../../meta/decode-error.ts';

/** RFC 3339 is limited to the years 0 to 9999. */
const earliest = -62_167_219_200;
const latest = 253_402_300_799;
const nanosPerMicro = 1_000;
const microsPerSecond = 1_000_000;

/** Formats a time in UTC with whole seconds. */
export function secondsText(seconds: number | bigint): string {
  return `${dateAndTime(seconds)}Z`;
}

/** Formats a time in UTC with six fractional digits. Nanoseconds outside of one second carry over to the seconds. */
export function microsText(seconds: number | bigint, nanos: number): string {
  const micros = Math.trunc(nanos / nanosPerMicro);
  const carry = Math.floor(micros / microsPerSecond);
  const decimals = String(micros - carry * microsPerSecond).padStart(6, '0');
  return `${dateAndTime(Number(seconds) + carry)}.${decimals}Z`;
}

function dateAndTime(seconds: number | bigint): string {
  if (seconds < earliest || seconds > latest) throw new DecodeError(`time out of range: ${seconds} seconds since 1970`);
  return new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
}
