const pattern =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** Returns whether a text is a YAML timestamp. Dates that do not exist in the calendar are not timestamps. */
export function isTimestamp(text: string): boolean {
  const parts = pattern.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, ...time] = parts.slice(1).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0, bareHour = 0, bareMinute = 0, bareSecond = 0] =
    time;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (zoneHour > 24 || zoneMinute > 60) return false;
  return Math.max(hour, bareHour) < 24 && Math.max(minute, bareMinute, second, bareSecond) < 60;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
