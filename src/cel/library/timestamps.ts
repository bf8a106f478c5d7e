import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import type { Duration, Timestamp } from '../evaluate/values.ts';
import { spend } from '../work.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 64;
const day = 86_400_000;

/** The local time in a zone, as a date in UTC. */
function localTime({ nanoseconds }: Timestamp, zone: string): Date {
  const fraction = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const milliseconds = Number((nanoseconds - fraction) / 1_000_000n);
  if (zone === '' || zone === 'UTC') return new Date(milliseconds);
  const colon = zone.indexOf(':');
  if (colon < 0) return zoneTime(milliseconds, zone);
  const hours = integerOf(zone.slice(0, colon)) * 60;
  const minutes = integerOf(zone.slice(colon + 1));
  return new Date(milliseconds + (zone.startsWith('-') ? hours - minutes : hours + minutes) * 60_000);
}

function integerOf(text: string): number {
  if (/^[+-]?[0-9]{1,9}$/.test(text)) return Number(text);
  throw new CelError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
}

function zoneTime(milliseconds: number, zone: string): Date {
  spend(200);
  const dateFields = new Map(
    formatOf(zone)
      .formatToParts(milliseconds)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const date = new Date(0);
  date.setUTCFullYear(dateFields.get('year')!, dateFields.get('month')! - 1, dateFields.get('day')!);
  const fraction = ((milliseconds % 1000) + 1000) % 1000;
  date.setUTCHours(dateFields.get('hour')! % 24, dateFields.get('minute')!, dateFields.get('second')!, fraction);
  return date;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format !== undefined) return format;
  spend(1_000);
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, format);
  return format;
}

const dayOfYear = (date: Date): number => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day);

const fields: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};
/** In nanoseconds. */
const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** Parts of timestamps and durations. */
export const timestamps: readonly Overload[] = [
  ...Object.entries(fields).map(([name, read]) =>
    defineFunction(name, {
      'timestamp.(): int': (time: Timestamp) => BigInt(read(localTime(time, ''))),
      'timestamp.(string): int': (time: Timestamp, zone: string) => BigInt(read(localTime(time, zone))),
    }),
  ),
  ...Object.entries(units).map(([name, unit]) =>
    defineFunction(name, { 'duration.(): int': (duration: Duration) => duration.nanoseconds / unit }),
  ),
].flat();
