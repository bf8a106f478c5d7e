import { describe, expect, it } from 'vitest';
import { timeZoneProblems } from './time-zone.ts';

const notExplicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';

describe('timeZoneProblems', () => {
  it.each(['UTC', 'Etc/UTC', 'Etc/GMT+5', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'US/Pacific', 'EST5EDT'])(
    'takes %s',
    (name) => {
      expect(timeZoneProblems(name)).toEqual([]);
    },
  );

  it.each([
    ['', ['timeZone must be nil or non-empty string']],
    ['Local', [notExplicit]],
    ['LOCAL', [notExplicit, 'unknown time zone LOCAL']],
    ['utc', ['unknown time zone utc']],
    ['europe/paris', ['unknown time zone europe/paris']],
    ['Europe/PARIS', ['unknown time zone Europe/PARIS']],
    ['PST', ['unknown time zone PST']],
    ['+0530', ['unknown time zone +0530']],
    ['Europe//Paris', ['unknown time zone Europe//Paris']],
    ['../Europe/Paris', ['unknown time zone ../Europe/Paris']],
    ['Europe/AVeryLongPlaceName', ['unknown time zone Europe/AVeryLongPlaceName']],
  ])('refuses %j', (name, problems) => {
    expect(timeZoneProblems(name)).toEqual(problems);
  });
});
